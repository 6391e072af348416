/** What Windows takes for a device whatever follows the dot; blanks before it do not help. */
const DEVICE = /^(?:con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³]|conin\$|conout\$|clock\$)\s*(?:\.|$)/i;

/** What Windows reads as soon as somebody looks into the folder. */
const FOLDER_FILE = /^(?:desktop\.ini|thumbs\.db|autorun\.inf)$/i;
/** The same, by its extension: it may fetch a picture from whom it names, and log in there. */
const SHORTCUT = /\.(?:lnk|url|scf|local|library-ms|searchconnector-ms|\{[^.]*\})$/i;

/**
 * Controls, invisible and bidirectional marks, lone surrogates, unassigned and private characters,
 * what is shown as nothing, line separators; what file systems or shells give a meaning to;
 * slashes, dots and colons of other scripts, which some systems turn into plain ones.
 */
const UNSAFE =
  /[\p{C}\p{DI}\p{Zl}\p{Zp}<>:"/\\|?*%\u2024-\u2026\u2044\u2215\u2216\u2236\u2800\u29f5\u29f8\u29f9\ua789\ufe52\ufe55\ufe68\uff0e\uff0f\uff1a\uff3c]+/gu;

/**
 * One segment of a path, safe on Linux, macOS and Windows: no separators, no control or invisible
 * characters, no device name, nothing that a look into the folder would run, neither hidden nor an
 * option, no blank or dot at its end, in NFC. Empty where nothing is left.
 */
export function cleanSegment(text: string): string {
  const plain = text.normalize('NFC').replace(UNSAFE, '_').replace(/\s+/g, ' ');
  const clean = trimEnd(trimStart(plain));
  const isReserved = DEVICE.test(clean) || FOLDER_FILE.test(clean);
  return (isReserved ? '_' : '') + clean + (SHORTCUT.test(clean) ? '.download' : '');
}

/** Cuts a text to a number of bytes in UTF-8, between characters. */
export function cutToBytes(text: string, bytes: number): string {
  let size = 0;
  let end = 0;
  for (const character of text) {
    size += Buffer.byteLength(character);
    if (size > bytes) break;
    end += character.length;
  }
  return trimEnd(text.slice(0, end));
}

// Loops, not patterns: `/[ .]+$/` takes quadratic time for blanks in the middle.
function trimStart(text: string): string {
  let start = 0;
  while (' .~-'.includes(text.charAt(start)) && start < text.length) start += 1;
  return text.slice(start);
}

function trimEnd(text: string): string {
  let end = text.length;
  while (end > 0 && ' .'.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}
