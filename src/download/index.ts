export {
  download,
  type DownloadHead,
  type DownloadOptions,
  type DownloadProgress,
  type Downloads,
} from './download.js';
export {
  parseContentDisposition,
  type ContentDisposition,
  type ContentDispositionOptions,
} from './parse-content-disposition.js';
export { type ExistingFile } from './place-file.js';
export { filePathOf, safeFileName, type FileNameOptions } from './safe-file-name.js';
export { saveFile, type SaveFileOptions } from './save-file.js';
