import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { Message } from '@parley/client';
import { expect, type Locator, type Page } from '@playwright/test';
import sharp from 'sharp';
import { asServer, composer } from './people.ts';

type Given = { name: string; mimeType: string; buffer: Buffer };

export const textFile = (name: string, content = `This is ${name}`): Given => ({
  ...{ name, mimeType: 'text/plain' },
  buffer: Buffer.from(content),
});

/** A picture of one colour. */
export const picture = async (name: string, colour = 'teal', side = 400): Promise<Given> => {
  const drawn = sharp({ create: { width: side, height: side, channels: 3, background: colour } });
  return { name, mimeType: 'image/png', buffer: await drawn.png().toBuffer() };
};

/** Picks files by the menu beside the field, as a person does. */
export const pick = async (
  page: Page,
  files: Given[] | string[],
  where: Locator = page.getByRole('main'),
) => {
  const chooser = page.waitForEvent('filechooser');
  await where.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Photo or file' }).click();
  await (await chooser).setFiles(files as Given[]);
};

export const tray = (page: Page): Locator =>
  page.getByRole('main').getByRole('list', { name: 'Attachments' });
export const inTray = (page: Page, name: string): Locator =>
  tray(page)
    .getByRole('listitem')
    .filter({ has: page.getByText(name, { exact: true }) });
export const namesInTray = (page: Page): Promise<string[]> => tray(page).locator('bdi').allInnerTexts();

/** The answers of the server to all uploads of a page. */
export const listenToUploads = (page: Page): Map<string, string> => {
  const urls = new Map<string, string>();
  page.on('response', async (response) => {
    if (response.request().method() !== 'POST' || !/\/uploads\/(file|image)/.test(response.url())) return;
    const { file, name } = (await response.json().catch(() => ({}))) as { file?: string; name?: string };
    if (file && name) urls.set(name, file);
  });
  return urls;
};

/** Holds all uploads of a page, or those of one name, until they are let go. */
export const holdUploads = async (page: Page, name = ''): Promise<() => Promise<void>> => {
  let go = () => {};
  const gate = new Promise<void>((resolve) => {
    go = resolve;
  });
  await page.route(/\/uploads\/(file|image)\?/, async (route) => {
    if (route.request().postDataBuffer()?.includes(name) ?? true) await gate;
    await route.continue().catch(() => undefined);
  });
  return async () => {
    go();
    await page.unroute(/\/uploads\/(file|image)\?/);
  };
};

/** Fires what a browser fires when files are pasted or dragged. */
export const dispatchFiles = (target: Locator, type: string, files: { name: string; type: string }[]) =>
  target.evaluate(
    (element, [kind, given]) => {
      const data = new DataTransfer();
      for (const { name, type: mime } of given) data.items.add(new File([name], name, { type: mime }));
      const options = { bubbles: true, cancelable: true };
      const event =
        kind === 'paste'
          ? new ClipboardEvent(kind, { ...options, clipboardData: data })
          : new DragEvent(kind, { ...options, dataTransfer: data });
      return element.dispatchEvent(event);
    },
    [type, files] as const,
  );

/** How a file answers when somebody asks for it: their own signature, then the URL alone, as an image does. */
export const readAs = async (page: Page, userId: string, url: string) => {
  const { http, createToken } = asServer();
  const { baseUrl, apiKey } = http.wire;
  const asked = await page.request.post(`${baseUrl}/uploads/sign`, {
    data: { urls: [url] },
    headers: { 'x-api-key': apiKey, 'x-auth-type': 'jwt', authorization: await createToken(userId) },
  });
  const { urls } = (await asked.json()) as { urls: Record<string, string> };
  const signed = urls[url];
  if (signed === undefined) return { status: 404, text: '' };
  const answer = await page.request.get(signed);
  return { status: answer.status(), text: await answer.text() };
};

/** Sends what stands in the composer; gives what the server stored. */
export const send = async (page: Page): Promise<Message> => {
  const reply = page.waitForResponse(
    (response) => response.request().method() === 'POST' && response.url().endsWith('/message'),
  );
  await composer(page).press('Enter');
  await expect(tray(page)).toBeHidden();
  return ((await (await reply).json()) as { message: Message }).message;
};

export const urlsIn = ({ attachments }: Message): string[] =>
  attachments.map(({ asset_url, image_url }) => asset_url ?? image_url ?? '');

/** Bytes that leave the page a second; returns the end of that. */
export const slowDown = async (page: Page, uploadThroughput: number): Promise<() => Promise<void>> => {
  const wire = await page.context().newCDPSession(page);
  const full = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: -1 };
  await wire.send('Network.emulateNetworkConditions', { ...full, uploadThroughput });
  return async () => {
    await wire.send('Network.emulateNetworkConditions', full);
    await wire.detach();
  };
};

/** The product at another address, by a cable that can be cut. */
export const startCable = async (target: string) => {
  const { hostname, port } = new URL(target);
  const ends = new Set<Socket>();
  let isCut = false;
  const server = createServer((near) => {
    if (isCut) return void near.destroy();
    const far = connect(Number(port), hostname);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      ends.add(one);
      one.pipe(other);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        ends.delete(one);
        other.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const cut = () => {
    isCut = true;
    for (const end of ends) end.destroy();
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut,
    mend: () => {
      isCut = false;
    },
    stop: () => {
      cut();
      return new Promise((resolve) => server.close(resolve));
    },
  };
};
