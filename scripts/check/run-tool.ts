import { spawn } from 'node:child_process';
import { join } from 'node:path';

export type ToolResult = { code: number; output: string };

/** Runs a command to its end and keeps what it printed; never throws for a failing command. */
export const runTool = (
  root: string,
  command: string,
  args: string[],
  env: Record<string, string> = {},
): Promise<ToolResult> =>
  new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: root,
      env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0', ...env },
    });
    const pieces: string[] = [];
    child.stdout.on('data', (data: Buffer) => pieces.push(data.toString()));
    child.stderr.on('data', (data: Buffer) => pieces.push(data.toString()));
    child.on('error', (error) => resolve({ code: 1, output: error.message }));
    child.on('close', (code) => resolve({ code: code ?? 1, output: pieces.join('').trim() }));
  });

export const binary = (root: string, name: string): string => join(root, 'node_modules/.bin', name);
