// Own code: ipaddr.js 2.5 takes `::127.0.0.1` for public and names tunnels instead of the address
// inside them, so most of this would be needed around it.
import { tryParseUrl } from '../url/index.js';

/**
 * What kind of address a host is.
 *
 * | class | IPv4 | IPv6 |
 * | --- | --- | --- |
 * | `public` | all else | `2000::/3` but what is below |
 * | `private` | `10/8`, `172.16/12`, `192.168/16` | `fc00::/7`, `fec0::/10` |
 * | `cgnat` | `100.64/10` (RFC 6598) | |
 * | `loopback` | `127/8` | `::1` |
 * | `link-local` | `169.254/16` | `fe80::/10` |
 * | `unspecified` | `0.0.0.0` | `::` |
 * | `multicast` | `224/4` | `ff00::/8` |
 * | `broadcast` | `255.255.255.255` | |
 * | `reserved` | the rest of the IANA special-purpose registry: documentation, benchmarks, `0/8`, `240/4` … | documentation, discard, benchmarks, ORCHID, all that is not given out |
 * | `loopback-name` | `localhost` and names below it (RFC 6761) | |
 * | `name` | any other host name: look it up | |
 * | `invalid` | no host | |
 */
export type AddressClass =
  | 'public'
  | 'private'
  | 'cgnat'
  | 'loopback'
  | 'link-local'
  | 'unspecified'
  | 'multicast'
  | 'broadcast'
  | 'reserved'
  | 'loopback-name'
  | 'name'
  | 'invalid';

/**
 * The class of a host, judged by its address however it is spelled: octal, hexadecimal, decimal
 * and short forms as the URL standard reads them; IPv4 inside of IPv6 (mapped, compatible,
 * translated, NAT64, 6to4, Teredo) by the IPv4 address. Nothing is looked up.
 *
 * @param host - host name, IPv4 or IPv6 address, with or without brackets or zone; no port
 *
 * @example
 * ```ts
 * addressClass('0x7f.1'); // 'loopback'
 * addressClass('[::ffff:10.0.0.1]'); // 'private'
 * addressClass('example.org'); // 'name'
 * ```
 */
export function addressClass(host: string): AddressClass {
  if (host === '' || /[\s/\\?#@]/.test(host)) return 'invalid';
  const bare = !host.startsWith('[') && host.includes(':');
  // A resolver may add the zone of a link-local address; in a URL there is none.
  const text = bare ? `[${host.split('%', 1)[0] ?? ''}]` : host;
  const name = tryParseUrl(`http://${text}/`)?.hostname;
  if (name === undefined) return 'invalid';
  if (name.startsWith('[')) return classOfV6(groupsOf(name.slice(1, -1)));
  const quad = /^(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(name);
  if (quad !== null) return classOfV4(quad.slice(1).reduce((sum, part) => sum * 256 + +part, 0));
  return /(?:^|\.)localhost\.?$/.test(name) ? 'loopback-name' : 'name';
}

/** IANA IPv4 Special-Purpose Address Registry and multicast; the first that fits counts. */
const V4: readonly (readonly [base: string, bits: number, AddressClass])[] = [
  ['0.0.0.0', 32, 'unspecified'],
  ['0.0.0.0', 8, 'reserved'],
  ['10.0.0.0', 8, 'private'],
  ['100.64.0.0', 10, 'cgnat'],
  ['127.0.0.0', 8, 'loopback'],
  ['169.254.0.0', 16, 'link-local'],
  ['172.16.0.0', 12, 'private'],
  ['192.0.0.0', 24, 'reserved'],
  ['192.0.2.0', 24, 'reserved'],
  ['192.88.99.0', 24, 'reserved'],
  ['192.168.0.0', 16, 'private'],
  ['198.18.0.0', 15, 'reserved'],
  ['198.51.100.0', 24, 'reserved'],
  ['203.0.113.0', 24, 'reserved'],
  ['224.0.0.0', 4, 'multicast'],
  ['255.255.255.255', 32, 'broadcast'],
  ['240.0.0.0', 4, 'reserved'],
];

const V4_TABLE: readonly (readonly [from: number, to: number, AddressClass])[] = V4.map(
  ([base, bits, kind]) => {
    const from = base.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
    return [from, from + 2 ** (32 - bits) - 1, kind];
  },
);

function classOfV4(address: number): AddressClass {
  return V4_TABLE.find(([from, to]) => address >= from && address <= to)?.[2] ?? 'public';
}

/** The eight groups of an address in the form that the URL parser gives it. */
function groupsOf(address: string): number[] {
  const [head = '', tail] = address.split('::');
  const numbers = (text: string): number[] =>
    text === '' ? [] : text.split(':').map((group) => parseInt(group, 16));
  if (tail === undefined) return numbers(head);
  const [left, right] = [numbers(head), numbers(tail)];
  return [...left, ...new Array<number>(8 - left.length - right.length).fill(0), ...right];
}

/** IANA IPv6 Special-Purpose Address Registry. */
function classOfV6(groups: readonly number[]): AddressClass {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = groups;
  const last = g * 65536 + h;
  const zeros = a === 0 && b === 0 && c === 0 && d === 0;
  if (zeros && e === 0 && f === 0) {
    if (last === 0) return 'unspecified';
    return last === 1 ? 'loopback' : classOfV4(last);
  }
  // Mapped `::ffff:0:0/96` and translated `::ffff:0:0:0/96` (RFC 2765).
  if (zeros && ((e === 0 && f === 0xffff) || (e === 0xffff && f === 0))) return classOfV4(last);
  if (a === 0x64 && b === 0xff9b) {
    const inner = classOfV4(last);
    // The well-known prefix (RFC 6052) leads where its address does; others are for local use.
    return c === 0 && d === 0 && e === 0 && f === 0 ? inner : unlessPublic(inner, 'reserved');
  }
  if (a === 0x2002) return classOfV4(b * 65536 + c);
  if (a === 0x2001 && b === 0) {
    // Teredo (RFC 4380): a server, and a client with all bits turned.
    const client = classOfV4((g ^ 0xffff) * 65536 + (h ^ 0xffff));
    return unlessPublic(client, classOfV4(c * 65536 + d));
  }
  if ((a & 0xfe00) === 0xfc00 || (a & 0xffc0) === 0xfec0) return 'private';
  if ((a & 0xffc0) === 0xfe80) return 'link-local';
  if ((a & 0xff00) === 0xff00) return 'multicast';
  const special = (a === 0x2001 && (b < 0x200 || b === 0xdb8)) || (a === 0x3fff && b < 0x1000);
  return (a & 0xe000) === 0x2000 && !special ? 'public' : 'reserved';
}

function unlessPublic(kind: AddressClass, otherwise: AddressClass): AddressClass {
  return kind === 'public' ? otherwise : kind;
}
