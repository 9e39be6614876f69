// `npm pack` in a workspace folder would pack TypeScript source, which works in no product.
console.error(
  'These packages are built first: run `npm run pack` in the root folder, which writes dist/*.tgz.',
);
process.exitCode = 1;
