import type { Upload } from '@parley/protocol';
import { ParleyError } from '@parley/protocol/errors';
import { after } from '../../environment.ts';
import { takeReply } from '../../http/error-reply.ts';
import type { Http } from '../../http/http.ts';
import { NetworkError } from '../../http/network-error.ts';
import type { SendFile } from './send-file.ts';

/** A file to upload: a File of the browser, or any Blob with a name. */
export type UploadSource = Blob & { readonly name?: string };
export type UploadRequest = {
  file: UploadSource;
  name: string;
  kind: 'image' | 'file';
  cid: string | undefined;
  /** The same in every try: the server stores it once. */
  uploadId: string;
  signal: AbortSignal;
  /** 0 to 1. */
  onProgress(done: number): void;
};

/** Stores a file somewhere and says where; yours may take the place of ours. */
export type UploadFunction = (request: UploadRequest) => Promise<Upload>;

/** Nothing moved for so long: the connection is gone though nobody said so. */
const stallMs = 30_000;

/** One try with the token of the moment; an expired one is replaced and the try made again. */
export const createUploadFunction = (http: Pick<Http, 'wire'>, send: SendFile): UploadFunction => {
  const { baseUrl, apiKey, auth, withCredentials, environment } = http.wire;

  const once = async (request: UploadRequest, headers: Record<string, string>): Promise<Upload> => {
    const { file, name, kind, cid, uploadId, onProgress } = request;
    const form = new FormData();
    if (cid !== undefined) form.append('cid', cid);
    form.append('file', file, name);
    const stalled = new AbortController();
    const give = () => stalled.abort();
    let stopTimer = after(environment.clock, stallMs, give);
    const abort = () => stalled.abort();
    request.signal.addEventListener('abort', abort);
    if (request.signal.aborted) abort();
    try {
      const { status, body } = await send({
        url: `${baseUrl}/uploads/${kind}?upload_id=${encodeURIComponent(uploadId)}`,
        headers: { ...headers, 'x-api-key': apiKey, 'x-client-request-id': environment.uuid() },
        ...{ form, withCredentials, signal: stalled.signal },
        onProgress: (sent, total) => {
          stopTimer();
          stopTimer = after(environment.clock, stallMs, give);
          onProgress(total > 0 ? sent / total : 0);
        },
      });
      return takeReply({ status, body, baseUrl }) as Upload;
    } catch (error) {
      if (error instanceof ParleyError || error instanceof NetworkError) throw error;
      throw new NetworkError('The server could not be reached', { cause: error });
    } finally {
      stopTimer();
      request.signal.removeEventListener('abort', abort);
    }
  };

  return async (request) => {
    const headers = await auth.headers();
    try {
      return await once(request, headers);
    } catch (error) {
      const isExpired = error instanceof ParleyError && error.name === 'TokenExpired';
      if (!isExpired || !(await auth.expired(headers))) throw error;
      return once(request, await auth.headers());
    }
  };
};
