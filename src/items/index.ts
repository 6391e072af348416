export { escapeLogLine, escapeTerminal } from './escape-terminal.js';
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
