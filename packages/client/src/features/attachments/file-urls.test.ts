import { expect, test, vi } from 'vitest';
import { defaultEnvironment } from '../../environment.ts';
import { fileUrls } from './file-urls.ts';

test('C8 a URL that was signed for the last user is not kept for the next one, however late it comes', async () => {
  const url = `/files/${'a'.repeat(24)}/a.png`;
  const answers: ((by: string) => void)[] = [];
  const call = vi.fn(
    () =>
      new Promise((resolve) =>
        answers.push((by) =>
          resolve({
            urls: { [url]: `${url}?by=${by}` },
            expires_at: new Date(Date.now() + 3_600_000).toISOString(),
          }),
        ),
      ),
  );
  const resets: (() => void)[] = [];
  const http = { wire: { baseUrl: 'http://a.example/api' }, call };
  const urls = fileUrls.create({ http, resets, environment: defaultEnvironment() } as never);

  const ofAna = urls.resolve(url);
  await vi.waitFor(() => expect(answers).toHaveLength(1));
  for (const reset of resets) reset();
  answers[0]?.('ana');
  await ofAna;

  expect(urls.peek(url)).toBeUndefined();
});
