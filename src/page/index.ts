export * from './encoding/index.js';
export * from './mime/index.js';
