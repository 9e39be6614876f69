import { isUtf8 } from 'node:buffer';

/** The type of a file is detected from this many bytes. */
export const headBytes = 4096;

type Signature = { type: string; at?: number; bytes: string };

/** The bytes are written in Latin-1, each letter a byte. */
const signatures: Signature[] = [
  { type: 'image/jpeg', bytes: '\xff\xd8\xff' },
  { type: 'image/png', bytes: '\x89PNG\r\n\x1a\n' },
  { type: 'image/gif', bytes: 'GIF87a' },
  { type: 'image/gif', bytes: 'GIF89a' },
  { type: 'image/tiff', bytes: 'II*\0' },
  { type: 'image/tiff', bytes: 'MM\0*' },
  { type: 'image/bmp', bytes: 'BM' },
  { type: 'image/x-icon', bytes: '\0\0\x01\0' },
  { type: 'image/vnd.adobe.photoshop', bytes: '8BPS' },
  { type: 'application/pdf', bytes: '%PDF-' },
  { type: 'application/zip', bytes: 'PK\x03\x04' },
  { type: 'application/zip', bytes: 'PK\x05\x06' },
  { type: 'application/gzip', bytes: '\x1f\x8b' },
  { type: 'application/x-bzip2', bytes: 'BZh' },
  { type: 'application/x-xz', bytes: '\xfd7zXZ\0' },
  { type: 'application/zstd', bytes: '\x28\xb5\x2f\xfd' },
  { type: 'application/x-7z-compressed', bytes: '7z\xbc\xaf\x27\x1c' },
  { type: 'application/vnd.rar', bytes: 'Rar!\x1a\x07' },
  { type: 'application/x-tar', at: 257, bytes: 'ustar' },
  { type: 'application/x-msdownload', bytes: 'MZ' },
  { type: 'application/x-executable', bytes: '\x7fELF' },
  { type: 'application/x-mach-binary', bytes: '\xcf\xfa\xed\xfe' },
  { type: 'application/java-vm', bytes: '\xca\xfe\xba\xbe' },
  { type: 'application/wasm', bytes: '\0asm' },
  { type: 'application/vnd.ms-office', bytes: '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1' },
  { type: 'application/rtf', bytes: '{\\rtf' },
  { type: 'application/x-sh', bytes: '#!' },
  { type: 'audio/flac', bytes: 'fLaC' },
  { type: 'audio/mpeg', bytes: 'ID3' },
  { type: 'audio/midi', bytes: 'MThd' },
  { type: 'audio/amr', bytes: '#!AMR' },
  { type: 'font/woff2', bytes: 'wOF2' },
  { type: 'font/woff', bytes: 'wOFF' },
  { type: 'application/vnd.sqlite3', bytes: 'SQLite format 3\0' },
];

const longestFirst = signatures.toSorted((a, b) => b.bytes.length - a.bytes.length);

const isAt = (head: Buffer, { at = 0, bytes }: Signature): boolean =>
  head.length >= at + bytes.length && head.toString('latin1', at, at + bytes.length) === bytes;

/** ISO media: the brand says which of the family it is. */
const isoType = (head: Buffer): string | undefined => {
  if (head.length < 12 || head.toString('latin1', 4, 8) !== 'ftyp') return undefined;
  const brand = head.toString('latin1', 8, 12);
  if (brand === 'avif' || brand === 'avis') return 'image/avif';
  if (/^(heic|heix|hevc|heim|heis|mif1|msf1)$/.test(brand)) return 'image/heic';
  if (brand === 'qt  ') return 'video/quicktime';
  if (/^M4[AB] $/.test(brand)) return 'audio/mp4';
  if (/^3g/.test(brand)) return 'video/3gpp';
  return 'video/mp4';
};

const riffTypes: Record<string, string> = {
  WEBP: 'image/webp',
  WAVE: 'audio/wav',
  'AVI ': 'video/x-msvideo',
};

const containerType = (head: Buffer): string | undefined => {
  const first = head.toString('latin1', 0, 4);
  if (first === 'RIFF') return riffTypes[head.toString('latin1', 8, 12)];
  if (first === 'OggS') return head.includes('theora') ? 'video/ogg' : 'audio/ogg';
  if (first === '\x1aE\xdf\xa3') return head.includes('webm') ? 'video/webm' : 'video/x-matroska';
  return undefined;
};

/** An MPEG audio frame: eleven set bits, a layer, a bit rate and a sample rate that exist. */
const frameType = (head: Buffer): string | undefined => {
  const [a = 0, b = 0, c = 0] = head;
  if (a !== 0xff || (b & 0xe0) !== 0xe0) return undefined;
  if ((b & 0xf6) === 0xf0) return 'audio/aac';
  const isFrame = (b & 0x06) !== 0 && (b & 0x18) !== 0x08 && c >> 4 !== 15 && (c & 0x0c) !== 0x0c;
  return isFrame ? 'audio/mpeg' : undefined;
};

const markup =
  /<(!doctype\s+html|html|head|body|script|iframe|style|title|meta|link|a|p|div|table|h1|br|img)[\s>/]/i;

/** Valid UTF-8 without control characters; a sign cut at the end of the head is no mistake. */
const isText = (head: Buffer): boolean => {
  for (const byte of head) if (byte < 9 || (byte > 13 && byte < 32 && byte !== 27)) return false;
  return [0, 1, 2, 3].some((cut) => head.length > cut && isUtf8(head.subarray(0, head.length - cut)));
};

/** Text that a browser could run counts as what it could run, wherever in the head it begins. */
const textType = (head: Buffer): string | undefined => {
  if (head.length === 0 || !isText(head)) return undefined;
  const text = head.toString('utf8');
  if (/<svg[\s>]/i.test(text)) return 'image/svg+xml';
  if (/^\ufeff?\s*<\?xml/i.test(text)) return 'application/xml';
  if (markup.test(text)) return 'text/html';
  return 'text/plain';
};

/** Detects the type of a file by its bytes, whatever its name. */
const sniff = (head: Buffer): string =>
  isoType(head) ??
  containerType(head) ??
  longestFirst.find((signature) => isAt(head, signature))?.type ??
  frameType(head) ??
  textType(head) ??
  'application/octet-stream';

/** A name may say which kind of zip, text or old office file it is, never that it is something else. */
const finer: Record<string, Record<string, string>> = {
  'application/zip': {
    docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
    odt: 'application/vnd.oasis.opendocument.text',
    ods: 'application/vnd.oasis.opendocument.spreadsheet',
    epub: 'application/epub+zip',
    jar: 'application/java-archive',
    apk: 'application/vnd.android.package-archive',
  },
  'application/vnd.ms-office': {
    doc: 'application/msword',
    xls: 'application/vnd.ms-excel',
    ppt: 'application/vnd.ms-powerpoint',
    msi: 'application/x-msi',
  },
  'text/plain': { csv: 'text/csv', md: 'text/markdown', json: 'application/json', ics: 'text/calendar' },
  'video/webm': { weba: 'audio/webm' },
};

export const typeOf = (head: Buffer, name: string): string => {
  const type = sniff(head);
  const ending = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? '';
  return finer[type]?.[ending] ?? type;
};

/** Whether a block list names this type or the ending of this name. */
export const isBlocked = (blocked: string[], type: string, name: string): boolean => {
  const low = name.toLowerCase().replace(/[\s.]+$/, '');
  return blocked.some((entry) => {
    if (entry.startsWith('.')) return low.endsWith(entry);
    return entry.endsWith('/*') ? type.startsWith(entry.slice(0, -1)) : type === entry;
  });
};
