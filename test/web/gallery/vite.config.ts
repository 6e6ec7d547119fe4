import web from '../../../vite.config.ts';

/** Builds the page that shows all components, with the build configuration of the web interface. */
export default {
  ...web,
  root: 'test/web/gallery',
  build: { ...web.build, rolldownOptions: { input: 'test/web/gallery/index.html' } },
};
