export {
  parseContentDisposition,
  type ContentDisposition,
  type ContentDispositionOptions,
} from './parse-content-disposition.js';
export { filePathOf, safeFileName, type FileNameOptions } from './safe-file-name.js';
export { saveFile, type SavedFile, type SaveFileOptions } from './save-file.js';
