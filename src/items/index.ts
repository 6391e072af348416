export { bulk, bulkSink, type BulkOptions, type SaveBatch } from './bulk.js';
export { escapeLogLine, escapeTerminal } from './escape-terminal.js';
export { through, type ItemSink } from './item-sink.js';
export type { FileMode } from './output-file.js';
export { passed } from './passed.js';
export {
  drop,
  Dropped,
  pipeline,
  type Pipeline,
  type PipelineEvent,
  type PipelineOptions,
  type Step,
  type StepError,
  type StepOutput,
} from './pipeline.js';
export { csvSink, toCsv, type CsvOptions } from './to-csv.js';
export { jsonLinesSink, toJsonLines, type JsonLinesOptions } from './to-json-lines.js';
