declare module '*.module.css' {
  const classes: Readonly<Record<string, string>>;
  // biome-ignore lint/style/noDefaultExport: what the bundler makes of a CSS module has only a default export
  export default classes;
}

declare module '*.css';
