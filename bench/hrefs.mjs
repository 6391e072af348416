import { Tokenizer } from 'htmlparser2';

/** `href` of each `a`, character references decoded. */
export function hrefs(html) {
  const found = [];
  let inLink = false;
  let inHref = false;
  let value = '';
  const nothing = () => {};
  const tokenizer = new Tokenizer(
    { xmlMode: false, decodeEntities: true },
    {
      onopentagname(start, end) {
        inLink = end - start === 1 && (html.charCodeAt(start) | 0x20) === 0x61;
      },
      onattribname(start, end) {
        inHref = inLink && end - start === 4 && html.slice(start, end).toLowerCase() === 'href';
        value = '';
      },
      onattribdata(start, end) {
        if (inHref) value += html.slice(start, end);
      },
      onattribentity(codepoint) {
        if (inHref) value += String.fromCodePoint(codepoint);
      },
      onattribend() {
        if (inHref) found.push(value);
        inHref = false;
      },
      oncdata: nothing,
      onclosetag: nothing,
      oncomment: nothing,
      ondeclaration: nothing,
      onend: nothing,
      onopentagend: nothing,
      onprocessinginstruction: nothing,
      onselfclosingtag: nothing,
      ontext: nothing,
      ontextentity: nothing,
    },
  );
  tokenizer.write(html);
  tokenizer.end();
  return found;
}
