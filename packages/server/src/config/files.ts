import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { limits } from '@parley/protocol';
import type { StorageConfig } from '../storage/storage.ts';

export type UploadsConfig = {
  fileBytes: number;
  /** The limit for all files of one user together; 0 means no limit. */
  userBytes: number;
  filesPerMessage: number;
  imagePixels: number;
  /** How long converting one image may take. */
  imageSeconds: number;
  /** Types (`application/x-msdownload`, `video/*`) and endings (`.exe`) that are refused. */
  blocked: string[];
  /** How long a file may lie that no message carries. */
  orphanHours: number;
};

export type FilesConfig = {
  storage: StorageConfig;
  uploads: UploadsConfig;
  /** `host:port` of sites that link previews may reach although they are in a private network: for tests. */
  previewHosts: string[];
};

/** The part of the reader of `config.ts` that is needed here. */
type Reader = {
  problems: string[];
  text(name: string): string | undefined;
  whole(name: string, fallback: number, bounds: [number, number]): number;
  list(name: string): string[] | undefined;
};

const pebibyte = 2 ** 50;
/** 5 GiB: without a bound one person fills the disk of all. */
const userBytes = 5 * 2 ** 30;

/** Types and extensions that start a program when they are opened. */
const programs = [
  'application/x-msdownload',
  ...'.exe .com .scr .pif .msi .bat .cmd .ps1 .vbs .lnk .hta .jar .app .dmg .apk'.split(' '),
];

const blockedEntry = /^(\.[\w+-]+|[\w.+-]+\/([\w.+-]+|\*))$/;

const readS3 = (read: Reader, url: URL): StorageConfig | undefined => {
  const endpoint = url.searchParams.get('endpoint') ?? undefined;
  const accessKey = read.text('AWS_ACCESS_KEY_ID');
  const secretKey = read.text('AWS_SECRET_ACCESS_KEY');
  const before = read.problems.length;
  if (url.hostname === '') read.problems.push('STORAGE_URL names no bucket: s3://bucket/prefix?region=…');
  if (endpoint !== undefined && !/^https?:\/\/[^/]/.test(endpoint))
    read.problems.push('STORAGE_URL: endpoint must be an http or https URL');
  if (accessKey === undefined || secretKey === undefined)
    read.problems.push('STORAGE_URL with s3: needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY');
  if (read.problems.length > before || accessKey === undefined || secretKey === undefined) return undefined;
  return {
    kind: 's3',
    bucket: url.hostname,
    prefix: url.pathname.replace(/^\/+|\/+$/g, ''),
    region: url.searchParams.get('region') ?? 'us-east-1',
    endpoint: endpoint?.replace(/\/+$/, ''),
    accessKey,
    secretKey,
  };
};

/** Compared with the host and port of a link: one without a port would never match. */
const readPreviewHosts = ({ list, problems }: Reader): string[] => {
  const hosts = list('PARLEY_PREVIEW_HOSTS') ?? [];
  for (const host of hosts)
    if (!/^[^\s/]+:\d{1,5}$/.test(host))
      problems.push(`PARLEY_PREVIEW_HOSTS: "${host}" is no host and port such as 10.0.0.7:8080`);
  return hosts;
};

/** A host (`file://data/files`, with a slash too few) and a wrong escape name no folder. */
const folderAt = (url: URL): string | undefined => {
  try {
    return resolve(fileURLToPath(url));
  } catch {
    return undefined;
  }
};

const readStorage = (read: Reader, dataDir: string): StorageConfig => {
  const ownFolder: StorageConfig = { kind: 'disk', root: join(dataDir, 'files') };
  const given = read.text('STORAGE_URL');
  if (given === undefined || given === 'file:') return ownFolder;
  const url = URL.canParse(given) ? new URL(given) : undefined;
  const root = url?.protocol === 'file:' ? folderAt(url) : undefined;
  if (root !== undefined) return { kind: 'disk', root };
  if (url?.protocol === 's3:') return readS3(read, url) ?? ownFolder;
  read.problems.push('STORAGE_URL must be a URL such as file:///path or s3://bucket/prefix');
  return ownFolder;
};

export const readFilesConfig = (read: Reader, dataDir: string): FilesConfig => {
  const blocked = (read.list('PARLEY_UPLOAD_BLOCKED') ?? programs).map((entry) => entry.toLowerCase());
  for (const entry of blocked)
    if (!blockedEntry.test(entry))
      read.problems.push(
        `PARLEY_UPLOAD_BLOCKED: "${entry}" is neither a type such as video/* nor an ending such as .exe`,
      );
  return {
    storage: readStorage(read, dataDir),
    uploads: {
      fileBytes: read.whole('PARLEY_UPLOAD_BYTES', limits.uploadBytes, [1, pebibyte]),
      userBytes: read.whole('PARLEY_UPLOAD_USER_BYTES', userBytes, [0, pebibyte]),
      filesPerMessage: read.whole('PARLEY_UPLOAD_FILES', limits.attachmentsPerMessage, [
        1,
        limits.attachmentsMost,
      ]),
      imagePixels: read.whole('PARLEY_UPLOAD_PIXELS', 50_000_000, [1, 1_000_000_000]),
      imageSeconds: read.whole('PARLEY_UPLOAD_IMAGE_SECONDS', 20, [1, 600]),
      blocked,
      orphanHours: read.whole('PARLEY_UPLOAD_ORPHAN_HOURS', 24, [1, 8760]),
    },
    previewHosts: readPreviewHosts(read),
  };
};
