import { expect, test } from 'vitest';
import { disposition, safeName } from './names.ts';
import { wantedRange } from './range.ts';
import { isBlocked, typeOf } from './sniff.ts';

const bytes = (latin1: string) => Buffer.from(latin1.padEnd(64, '\x07'), 'latin1');

test.each([
  ['\xff\xd8\xff\xe0', 'a.exe', 'image/jpeg'],
  ['\x89PNG\r\n\x1a\n', 'a.html', 'image/png'],
  ['GIF89a', 'a.js', 'image/gif'],
  ['RIFF\x10\0\0\0WEBP', 'a', 'image/webp'],
  ['RIFF\x10\0\0\0WAVE', 'a', 'audio/wav'],
  ['\0\0\0\x18ftypavif', 'a', 'image/avif'],
  ['\0\0\0\x18ftypisom', 'a.png', 'video/mp4'],
  ['\0\0\0\x18ftypqt  ', 'a', 'video/quicktime'],
  ['\0\0\0\x18ftypheic', 'a', 'image/heic'],
  ['OggS\0\x02OpusHead', 'a', 'audio/ogg'],
  ['\x1aE\xdf\xa3\x01webm', 'a', 'video/webm'],
  ['ID3\x04', 'a', 'audio/mpeg'],
  ['\xff\xfb\x90\x00', 'a', 'audio/mpeg'],
  ['fLaC', 'a', 'audio/flac'],
  ['%PDF-1.7', 'a.png', 'application/pdf'],
  ['PK\x03\x04', 'a.docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
  ['PK\x03\x04', 'a.png', 'application/zip'],
  ['MZ\x90', 'photo.jpg', 'application/x-msdownload'],
  ['\x7fELF', 'a', 'application/x-executable'],
  ['\0\0\0', 'a.png', 'application/octet-stream'],
])('A1 the bytes %j are known under any name (%s)', (head, name, type) => {
  expect(typeOf(bytes(head), name)).toBe(type);
});

test.each([
  ['<!doctype html><script>alert(1)</script>', 'a.png', 'text/html'],
  ['  \n<HTML><body onload=x>', 'a.txt', 'text/html'],
  ['hello <script src=x></script>', 'a.txt', 'text/html'],
  ['<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"><script/></svg>', 'a.png', 'image/svg+xml'],
  ['<svg onload=alert(1)>', 'a.txt', 'image/svg+xml'],
  ['<?xml version="1.0"?><a/>', 'a', 'application/xml'],
  ['a,b\n1,2', 'a.csv', 'text/csv'],
  ['just words – ünïcode', 'a.html', 'text/plain'],
])('A1 text that could run is what it could run: %j', (text, name, type) => {
  expect(typeOf(Buffer.from(text), name)).toBe(type);
});

test.each([
  ['../../etc/passwd', 'passwd'],
  ['..\\..\\boot.ini', 'boot.ini'],
  ['/', 'file'],
  ['', 'file'],
  ['...', 'file'],
  ['a\0b\r\nc.txt', 'a_b__c.txt'],
  ['\u202egnp.exe', '_gnp.exe'],
  ['con.txt', 'file_con.txt'],
  ['<img src=x>.png', '_img src=x_.png'],
  ['Räport.pdf', 'Räport.pdf'],
  ['\ud800x.txt', '�x.txt'],
])('A1 the name %j becomes %j', (given, name) => {
  expect(safeName(given)).toBe(name);
});

test('A1 a long name keeps its ending and fits a header', () => {
  const name = safeName(`${'😀'.repeat(500)}.jpeg`);

  expect([...name]).toHaveLength(180);
  expect(name.endsWith('😀.jpeg')).toBe(true);
  expect(disposition('attachment', 'a"b\\c%.txt')).toBe(
    `attachment; filename="a_b_c_.txt"; filename*=UTF-8''a%22b%5Cc%25.txt`,
  );
});

test('A1 a block list names types, families and endings', () => {
  const blocked = ['application/x-msdownload', 'video/*', '.exe'];

  expect(isBlocked(blocked, 'application/x-msdownload', 'cat.jpg')).toBe(true);
  expect(isBlocked(blocked, 'video/mp4', 'a.mp4')).toBe(true);
  expect(isBlocked(blocked, 'text/plain', 'a.EXE. ')).toBe(true);
  expect(isBlocked(blocked, 'text/plain', 'a.exe.txt')).toBe(false);
});

test.each([
  ['bytes=0-0', { kind: 'part', range: { start: 0, end: 0 } }],
  ['bytes=-0', { kind: 'outside' }],
  ['bytes=5-2', { kind: 'all' }],
  ['bytes=-', { kind: 'all' }],
  ['lines=1-2', { kind: 'all' }],
  [`bytes=${'9'.repeat(30)}-`, { kind: 'outside' }],
])('A1 the range %j', (header, wanted) => {
  expect(wantedRange(header, 10)).toEqual(wanted);
});
