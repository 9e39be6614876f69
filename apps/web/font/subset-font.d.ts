declare module 'subset-font' {
  type Options = {
    targetFormat: 'woff2';
    variationAxes: Record<string, number | { min: number; max: number }>;
    keepFeatures: readonly string[];
  };
  // biome-ignore lint/style/noDefaultExport: the package has only a default export
  export default function subsetFont(font: Uint8Array, text: string, options: Options): Promise<Uint8Array>;
}
