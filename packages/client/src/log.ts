export type Log = {
  warn(text: string, data?: unknown): void;
  error(text: string, data?: unknown): void;
};

export const consoleLog: Log = {
  // biome-ignore lint/suspicious/noConsole: the default place where an embedder looks for warnings
  warn: (...said) => console.warn(...said),
  // biome-ignore lint/suspicious/noConsole: the default place where an embedder looks for errors
  error: (...said) => console.error(...said),
};
