import web from '../../../vite.config.ts';

/** Builds the page of all components with the configuration of the interface. */
export default {
  ...web,
  root: 'test/web/gallery',
  build: { ...web.build, rolldownOptions: { input: 'test/web/gallery/index.html' } },
};
