import { randomBytes } from 'node:crypto';
import { access, link, rename, rm } from 'node:fs/promises';
import { checkTarget } from './check-target.js';
import type { CliSystem } from './cli-system.js';
import { isReplaceable } from './is-replaceable.js';
import { type LineSink, lineSink } from './line-sink.js';
import { cutLastLine, openOutput } from './open-output.js';
import type { CliOptions, OutputFile } from './parse-options.js';

const SUBJECT = 'option -o, --output';

/**
 * Opens what data is written to: standard output, a file, or, for one list of JSON, a temporary
 * file beside it that takes its name when it is whole.
 *
 * @throws UsageError or OutputError
 */
export async function openSink(
  { output, format }: Pick<CliOptions, 'output' | 'format'>,
  { stdout }: Pick<CliSystem, 'stdout'>,
): Promise<LineSink> {
  const framing = format === 'json' ? JSON_LIST : undefined;
  if (output === undefined) return lineSink(stdout, false, framing);
  if (format === 'json') return openWhole(output);
  const sink = lineSink(await openOutput(output, SUBJECT), true);
  return {
    ...sink,
    close: async () => {
      const error = await sink.close();
      if (error !== undefined) await cutLastLine(output.path, format === 'csv');
      return error;
    },
  };
}

/** A list of JSON, one record a line; whole after `close`, whatever came. */
const JSON_LIST = { head: '[\n', between: ',\n', foot: '\n]\n' };

async function openWhole(file: OutputFile): Promise<LineSink> {
  await checkTarget(file, SUBJECT, '--force');
  if (!(await isReplaceable(file.path))) {
    return lineSink(await openOutput(file, SUBJECT), true, JSON_LIST);
  }
  const part = `${file.path}.${randomBytes(4).toString('hex')}.part`;
  const stream = await openOutput({ path: part, existing: 'refuse' }, SUBJECT);
  const sink = lineSink(stream, true, JSON_LIST);
  return {
    ...sink,
    close: async () => {
      try {
        const error = await sink.close();
        if (error !== undefined) return error;
        // A rename would replace what has come there meanwhile.
        if (file.existing === 'refuse') await putInPlace(part, file.path);
        else await rename(part, file.path);
        return undefined;
      } catch (error) {
        return error instanceof Error ? error : new Error(String(error));
      } finally {
        await rm(part, { force: true });
      }
    },
  };
}

async function putInPlace(part: string, path: string): Promise<void> {
  try {
    await link(part, path);
  } catch (error) {
    if (await exists(path)) throw error;
    // A file system without links.
    await rename(part, path);
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await access(path);
    return true;
  } catch {
    return false;
  }
}
