import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto';

// Certificates for tests, made when the tests run: nothing expires in the repository, and no
// `openssl` command is needed. Node signs, but cannot write X.509, so the few fields are put
// together here (RFC 5280 §4.1, DER).

/** A certificate and its private key, PEM. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
  /** For {@link CertificateOptions.issuer}. */
  readonly name: string;
  readonly privateKey: KeyObject;
  readonly serial: number;
}

export interface CertificateOptions {
  /** Common name. */
  readonly name: string;
  /** DNS names and IPv4 addresses that it is for. */
  readonly hosts?: readonly string[];
  readonly from?: Date;
  readonly to?: Date;
  /** Who signs it; itself if not given. */
  readonly issuer?: Certificate;
  /** Whether it may sign others. */
  readonly authority?: boolean;
}

const DAY = 86_400_000;
const SHA256_ECDSA = '1.2.840.10045.4.3.2';
let serials = 0;

/** Makes a certificate for a fresh P-256 key. */
export function makeCertificate(options: CertificateOptions): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { name, hosts = [], issuer, authority = false } = options;
  const from = options.from ?? new Date(Date.now() - DAY);
  const to = options.to ?? new Date(Date.now() + DAY);
  const extensions = [
    authority ? sequence(oid('2.5.29.19'), TRUE, octets(sequence(TRUE))) : [],
    hosts.length > 0 ? sequence(oid('2.5.29.17'), octets(sequence(...hosts.map(altName)))) : [],
  ].flat();
  const serial = ++serials & 0x7f;
  const algorithm = sequence(oid(SHA256_ECDSA));
  const content = sequence(
    tlv(0xa0, tlv(0x02, Uint8Array.of(2))),
    tlv(0x02, Uint8Array.of(serial)),
    algorithm,
    distinguished(issuer?.name ?? name),
    sequence(time(from), time(to)),
    distinguished(name),
    publicKey.export({ type: 'spki', format: 'der' }),
    ...(extensions.length > 0 ? [tlv(0xa3, sequence(...extensions))] : []),
  );
  return {
    cert: signed('CERTIFICATE', content, issuer?.privateKey ?? privateKey),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    name,
    privateKey,
    serial,
  };
}

/** The list of certificates that an authority has revoked (RFC 5280 §5.1), PEM. */
export function makeRevocationList(issuer: Certificate, revoked: readonly Certificate[]): string {
  const [from, to] = [new Date(Date.now() - DAY), new Date(Date.now() + DAY)];
  const entries = revoked.map(({ serial }) =>
    sequence(tlv(0x02, Uint8Array.of(serial)), time(from)),
  );
  const content = sequence(
    tlv(0x02, Uint8Array.of(1)),
    sequence(oid(SHA256_ECDSA)),
    distinguished(issuer.name),
    time(from),
    time(to),
    ...(entries.length > 0 ? [sequence(...entries)] : []),
    // A list of version 2 has a number; OpenSSL reads it no other way.
    tlv(0xa0, sequence(sequence(oid('2.5.29.20'), octets(tlv(0x02, Uint8Array.of(1)))))),
  );
  return signed('X509 CRL', content, issuer.privateKey);
}

function signed(label: string, content: Uint8Array, key: KeyObject): string {
  const signature = tlv(0x03, Uint8Array.of(0), sign('sha256', content, key));
  const der = sequence(content, sequence(oid(SHA256_ECDSA)), signature);
  const base64 = der.toString('base64').replace(/.{64}/g, '$&\n');
  return `-----BEGIN ${label}-----\n${base64}\n-----END ${label}-----\n`;
}

function tlv(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const head =
    length < 0x80
      ? [tag, length]
      : length < 0x100
        ? [tag, 0x81, length]
        : [tag, 0x82, length >> 8, length & 0xff];
  return Buffer.concat([Uint8Array.from(head), content]);
}

const TRUE = tlv(0x01, Uint8Array.of(0xff));

function sequence(...parts: readonly Uint8Array[]): Buffer {
  return tlv(0x30, ...parts);
}

function octets(...parts: readonly Uint8Array[]): Buffer {
  return tlv(0x04, ...parts);
}

function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  const bytes = [first * 40 + second];
  for (const arc of rest) {
    const groups = [arc & 0x7f];
    for (let left = arc >> 7; left > 0; left >>= 7) groups.unshift((left & 0x7f) | 0x80);
    bytes.push(...groups);
  }
  return tlv(0x06, Uint8Array.from(bytes));
}

function distinguished(name: string): Buffer {
  return sequence(tlv(0x31, sequence(oid('2.5.4.3'), tlv(0x0c, Buffer.from(name)))));
}

function altName(host: string): Buffer {
  return /^[\d.]+$/.test(host)
    ? tlv(0x87, Uint8Array.from(host.split('.').map(Number)))
    : tlv(0x82, Buffer.from(host));
}

function time(date: Date): Buffer {
  return tlv(0x18, Buffer.from(date.toISOString().replace(/[-:T]|\.\d+/g, '')));
}
