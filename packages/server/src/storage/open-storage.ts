import { createDiskStorage } from './disk.ts';
import { createS3Storage } from './s3.ts';
import type { Storage, StorageConfig } from './storage.ts';

export const openStorage = (config: StorageConfig): Storage =>
  config.kind === 'disk' ? createDiskStorage(config.root) : createS3Storage(config);
