/** A small generator of random numbers that gives the same ones for the same seed (mulberry32). */
export function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Pieces as they are on real pages, whole and with their usual faults. */
const PIECES: readonly string[] = [
  '<!doctype html>',
  '<html lang="en">',
  '<head>',
  '</head>',
  '<body class="page" background="bg.png">',
  '</body></html>',
  '<meta charset="utf-8"><meta name="viewport" content="width=device-width">',
  '<title>A &amp; B <a href="in-title">x</a></title>',
  '<title>never closed',
  '<base target="_top">',
  '<base href="/base/">',
  '<base href="https://cdn.example/x/" />',
  '<link rel="stylesheet" href="style.css">',
  '<link rel="canonical" href="/canonical"><link rel=next href=?page=2><link rel="alternate" type="application/rss+xml" href="feed.xml">',
  '<link rel="preconnect" href="//fonts.example">',
  '<meta http-equiv="refresh" content="5; url=/refreshed">',
  '<script src="app.js"></script>',
  '<script>var a = "<a href=in-script>"; if (a < 3 && b > 2) document.write("</a>");</script>',
  '<script><!--\ndocument.write("<script src=x></script>");\n//--></script>',
  '<script><!-- <script> --></script>',
  '<style>a > b { background: url(in-style.png) } /* <a href=in-style> */</style>',
  '<nav><ul><li><a href="/one">One</a><li><a href="two?x=1&amp;y=2#z">Two</a></ul></nav>',
  "<a class='b' href='/single' rel='nofollow noopener' target=_blank>Single</a>",
  '<a href=/unquoted/path>Unquoted</a>',
  '<a href="https://b.example/x y?q=é#ü">Other</a>',
  '<a href="  /blanks\n ">Blanks</a>',
  '<a name="no-link">Anchor</a>',
  '<a href="javascript:void(0)" onclick="go(\'/in-handler\')">Script</a>',
  '<a href="mailto:a@b.example">Mail</a>',
  '<a href="/open">never closed',
  '<a href="/twice" href="/second">Twice</a>',
  '<a href="&#x2f;refs&#47;&lt;a&gt;?a=1&copy=2&notit;">References</a>',
  '<p>Text &lt;b&gt; &nbsp; a < b and c > d </p>',
  '<p title="a > b" data-x=\'<a href="in-attribute">\'>Para<br/>graph',
  '<div><div id=main><span>deep</span></div>',
  '</div>',
  '</p>',
  '<table><tr><td><a href="/cell">Cell</a><td background="td.png">2</table>',
  '<table><a href="/fostered">Fostered</a><tr><td>x</td></tr></table>',
  '<table><caption><a href=/caption>c</a></caption><colgroup><col></colgroup>',
  '<img src="a.png" alt="A > B" srcset="a.png 1x, b.png 2x"><img src=/b.gif>',
  '<image src="image.png">',
  '<picture><source srcset="c.webp 1x" type="image/webp"><img src="c.png"></picture>',
  '<video poster="p.jpg" src="v.mp4"><source src="v.webm"><track src="t.vtt"></video>',
  '<audio src="a.ogg"></audio>',
  '<iframe src="/frame"><a href="in-iframe">x</a></iframe>',
  '<object data="o.swf"><embed src="e.swf"></object>',
  '<map name=m><area href="/area" shape=rect></map>',
  '<form action="/search"><input name=q><input type=image src="go.png"><button>Go</button></form>',
  '<noscript><img src="pixel.gif"><a href="/noscript">x</a></noscript>',
  '<textarea name=t><a href="in-textarea">x</a></textarea>',
  '<template><a href="in-template">x</a><img src="in-template.png"></template>',
  '<template><template></template>',
  '</template>',
  '<svg viewBox="0 0 1 1"><title>Icon <b>x</b></title><path d="M0 0"/><use xlink:href="sprite.svg#i"/></svg>',
  '<svg><a xlink:href="/svg-link"><text>x</text></a><image href="svg.png"/></svg>',
  '<svg><style>a{}</style><script href="svg.js"></script><desc><a href="/in-desc">x</a></desc></svg>',
  '<svg><foreignObject><p><a href="/foreign">x</a></p></foreignObject></svg>',
  '<svg><g><path>',
  '<svg/>',
  '</svg>',
  '<math><mi><a href="/in-mi">x</a></mi><mo>+</mo></math>',
  '<math><annotation-xml encoding="text/html"><a href="/annotation">x</a></annotation-xml></math>',
  '<!-- comment <a href="in-comment">x</a> -->',
  '<!-- comment > with -- dashes --- -->',
  '<!--[if IE]><a href="/ie">x</a><![endif]-->',
  '<![if !IE]><a href="/not-ie">x</a><![endif]>',
  '<!-- never closed',
  '<!-->',
  '<![CDATA[ <a href="in-cdata">x</a> ]]>',
  '<?xml version="1.0"?>',
  '<?php echo "<a href=in-php>"; ?>',
  '<xmp><a href="in-xmp">x</a></xmp>',
  '<noembed><a href="in-noembed">x</a></noembed>',
  '<noframes><a href="in-noframes">x</a></noframes>',
  '<h1><a href="/heading">Heading</h1></a>',
  '<b><i><a href="/formatted">x</b></i></a>',
  '<dl><dt><a href=/term>t</a><dd>d</dl>',
  '<center><font color="red"><a href="/font">x</a></font></center>',
  '<blockquote cite="/cite">q</blockquote>',
  '</a>',
  '</',
  '<',
  '<a',
  '<a href="',
  '<a href=',
  '">',
  "'>",
  '>',
  ' ',
  '\n',
  'plain text ',
  '日本語 テキスト ',
];

/** What a mutation may put in. */
const SCRAPS: readonly string[] = [
  ...[
    '<',
    '>',
    '/',
    '"',
    "'",
    '=',
    '!',
    '-',
    '--',
    '-->',
    '<!--',
    '<!',
    '?',
    ' ',
    '\n',
    '\t',
    '\f',
  ],
  ...[
    '&',
    '&amp',
    ';',
    '\0',
    '\r\n',
    '</',
    '/>',
    '<a',
    'href=',
    'src=',
    ']]>',
    '<![CDATA[',
    'x',
    '#',
  ],
  ...['</script>', '<script>', '</title>', '</style>', '<svg>', '</svg>', '<p>', '<div>', '</div>'],
];

function pick<T>(list: readonly T[], random: () => number): T {
  return list[Math.floor(random() * list.length)] as T;
}

const FOREIGN = /svg|math/i;
const PLAIN_PIECES = PIECES.filter((piece) => !FOREIGN.test(piece));
/** Without SVG that nothing closes. */
const WHOLE_PIECES = PIECES.filter((piece) => piece !== '<svg><g><path>');
const PLAIN_SCRAPS = SCRAPS.filter((scrap) => !FOREIGN.test(scrap));

/** What {@link randomHtml} makes. */
export interface RandomHtmlOptions {
  /** Whether there may be SVG and MathML. */
  readonly foreign: boolean;
  /** At most so many faults are put in. */
  readonly faults: number;
}

/** A page of pieces, with faults put in. */
export function randomHtml(random: () => number, options: RandomHtmlOptions): string {
  const whole = options.faults === 0 ? WHOLE_PIECES : PIECES;
  const pieces = options.foreign ? whole : PLAIN_PIECES;
  const scraps = options.foreign ? SCRAPS : PLAIN_SCRAPS;
  let html = '';
  for (let count = 1 + Math.floor(random() * 12); count > 0; count -= 1)
    html += pick(pieces, random);
  for (let count = Math.floor(random() * (options.faults + 1)); count > 0; count -= 1)
    html = mutateHtml(html, random, scraps);
  return html;
}

/** A page with one fault put in. */
export function mutateHtml(
  html: string,
  random: () => number,
  scraps: readonly string[] = PLAIN_SCRAPS,
): string {
  const at = Math.floor(random() * (html.length + 1));
  const length = 1 + Math.floor(random() * 6);
  const rest = html.slice(at + length);
  switch (Math.floor(random() * 6)) {
    case 0:
      return html.slice(0, at) + rest;
    case 1:
      return html.slice(0, at) + pick(scraps, random) + html.slice(at);
    case 2:
      return html.slice(0, at) + pick(scraps, random) + rest;
    case 3:
      // A piece comes again, somewhere else.
      return html.slice(0, at) + html.slice(at, at + 30) + html.slice(at);
    case 4:
      return html.slice(0, at) + html.slice(at, at + length).toUpperCase() + rest;
    default:
      return random() < 0.2
        ? html.slice(0, at)
        : html.slice(0, at) + pick(scraps, random) + html.slice(at);
  }
}
