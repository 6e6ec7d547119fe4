// The only import of QMD. The build replaces this file by a bundle of it, so that what QMD depends on and we never load
// (GPU builds of a model runtime, parsers of programming languages) is not installed.
export { createStore } from '@tobilu/qmd';
