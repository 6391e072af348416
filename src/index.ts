export * from './core/index.js';
export * from './url/index.js';
export * from './page/index.js';
export * from './fetch/index.js';
export * from './sitemap/index.js';
export * from './download/index.js';
export * from './items/index.js';
export * from './control/index.js';
