import web from '../../../vite.config.ts';

/** The page of all components, built as the interface is. */
export default {
  ...web,
  root: 'test/web/gallery',
  build: { ...web.build, rolldownOptions: { input: 'test/web/gallery/index.html' } },
};
