import { NetworkError } from '../../http/network-error.ts';

export type FileRequest = {
  url: string;
  headers: Record<string, string>;
  form: FormData;
  withCredentials: boolean;
  signal: AbortSignal;
  onProgress(sent: number, total: number): void;
};
export type FileReply = { status: number; body: unknown };

/** Sends a form. No answer is a NetworkError; an answer of any status is a reply. */
export type SendFile = (request: FileRequest) => Promise<FileReply>;

type Fetch = (url: string, init: RequestInit) => Promise<Response>;

const unreachable = (cause?: unknown) => new NetworkError('The server could not be reached', { cause });

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Reports no progress: fetch has none for uploads. */
const sendByFetch =
  (fetch: Fetch): SendFile =>
  async ({ url, headers, form, withCredentials, signal }) => {
    const credentials = withCredentials ? 'include' : 'same-origin';
    try {
      const response = await fetch(url, { method: 'POST', headers, body: form, signal, credentials });
      return { status: response.status, body: parse(await response.text()) };
    } catch (cause) {
      throw unreachable(cause);
    }
  };

/** The part of XMLHttpRequest that is used. */
type Xhr = Pick<
  XMLHttpRequest,
  | ('open' | 'setRequestHeader' | 'send' | 'abort' | 'onload' | 'onerror' | 'onabort')
  | ('status' | 'responseText' | 'withCredentials')
> & { upload: Pick<XMLHttpRequestUpload, 'onprogress'> };

export const sendByXhr =
  (create: () => Xhr): SendFile =>
  ({ url, headers, form, withCredentials, signal, onProgress }) =>
    new Promise((resolve, reject) => {
      const xhr = create();
      const abort = () => xhr.abort();
      const fail = () => {
        signal.removeEventListener('abort', abort);
        reject(unreachable());
      };
      xhr.open('POST', url);
      xhr.withCredentials = withCredentials;
      for (const [name, value] of Object.entries(headers)) xhr.setRequestHeader(name, value);
      xhr.upload.onprogress = ({ loaded, total }) => onProgress(loaded, total);
      xhr.onload = () => {
        signal.removeEventListener('abort', abort);
        resolve({ status: xhr.status, body: parse(xhr.responseText) });
      };
      xhr.onerror = fail;
      xhr.onabort = fail;
      signal.addEventListener('abort', abort);
      if (signal.aborted) fail();
      else xhr.send(form);
    });

/** XMLHttpRequest where there is one, for its progress. */
export const defaultSendFile = (fetch: Fetch): SendFile =>
  typeof XMLHttpRequest === 'undefined' ? sendByFetch(fetch) : sendByXhr(() => new XMLHttpRequest());
