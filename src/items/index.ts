export { escapeLogLine, escapeTerminal } from './escape-terminal.js';
