/** `npm run pack`: the packages that a product installs, as tarballs in `dist/` or in the folder that is named. */
import { join, resolve } from 'node:path';
import { packPackages } from './pack/pack-packages.ts';

const root = join(import.meta.dirname, '..');
const tarballs = await packPackages(root, resolve(process.argv[2] ?? join(root, 'dist')));
console.log(tarballs.join('\n'));
