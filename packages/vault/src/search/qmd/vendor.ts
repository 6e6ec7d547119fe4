// The only import of QMD. The build replaces this file with a bundle, so that dependencies of QMD that we never load
// (GPU builds of a model runtime, parsers of programming languages) are not installed.
export { createStore } from '@tobilu/qmd';
