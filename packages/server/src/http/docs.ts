import { createHash } from 'node:crypto';
import { errorList, type OpenApiDocument, type OpenApiOperation } from '@parley/protocol';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { fieldsTable, parametersTable, typeOf } from './docs-fields.ts';
import { type Html, html, prose } from './docs-html.ts';
import { authentication, conventions, exampleEvent, realtime } from './docs-prose.ts';
import { docsStyle } from './docs-style.ts';

type Entry = { method: string; path: string; operation: OpenApiOperation };

const sides: Record<OpenApiOperation['x-side'], string> = {
  C: 'users',
  S: 'servers only',
  CS: 'users and servers',
  public: 'anyone with the key',
};

const title = (feature: string): string => {
  const words = feature.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

const entriesOf = (document: OpenApiDocument, feature: string): Entry[] =>
  Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([, operation]) => operation.tags.includes(feature))
      .map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );

const replyOf = (operation: OpenApiOperation): Html => {
  const answers = Object.entries(operation.responses).flatMap(([status, response]) =>
    'content' in response ? [{ status, schema: response.content['application/json'].schema }] : [],
  );
  // Of 200 and 201 with the same shape the last is the rule and the first the exception.
  const main = answers.at(-1);
  if (!main) return html``;
  const also = answers.length > 1 ? ' (200 where it was there already)' : '';
  return html`<h4>Reply ${main.status}${also}</h4>${fieldsTable(main.schema, {}, true)}`;
};

const callHtml = ({ method, path, operation }: Entry, document: OpenApiDocument): Html => {
  const [content] = Object.entries(operation.requestBody?.content ?? {});
  const [mediaType, { schema: body } = {}] = content ?? [];
  const asForm = mediaType === 'multipart/form-data' ? ' (multipart/form-data)' : '';
  const id = `call-${operation.operationId}`;
  return html`<article class="call" id="${id}">
<header><span class="method ${method.toLowerCase()}">${method}</span><h3><a href="#${id}">${path}</a></h3>
<span class="side">${sides[operation['x-side']]}</span></header>
<p>${prose(operation.summary)}</p>
<details><summary>Parameters, body and reply</summary>
${operation.parameters.length > 0 ? html`<h4>Parameters</h4>${parametersTable(operation.parameters)}` : ''}
${body ? html`<h4>Body${asForm}</h4>${fieldsTable(body, document.components.schemas)}` : ''}
${replyOf(operation)}
</details></article>`;
};

const featureHtml = (document: OpenApiDocument, feature: string): Html => html`<section>
<h2 id="${feature}">${title(feature)}</h2>
${entriesOf(document, feature).map((entry) => callHtml(entry, document))}</section>`;

const navigation = (document: OpenApiDocument): Html => html`<nav aria-label="Contents">
<a class="brand" href="#top">Parley API</a>
<ul><li><a href="#authentication">Authentication</a></li><li><a href="#realtime">Realtime</a></li>
<li><a href="#events">Events</a></li><li><a href="#errors">Errors</a></li><li><a href="#shapes">Shapes</a></li></ul>
${document.tags.map(
  ({ name }) =>
    html`<h2><a href="#${name}">${title(name)}</a></h2><ul>${entriesOf(document, name).map(
      ({ method, path, operation }) =>
        html`<li><a href="#call-${operation.operationId}"><span class="${method.toLowerCase()}">${method}</span> ${path}</a></li>`,
    )}</ul>`,
)}</nav>`;

const envelope = ['type', 'created_at', 'cid', 'channel_type', 'channel_id', 'seq'];

const eventsHtml = (document: OpenApiDocument): Html => html`<section><h2 id="events">Events</h2>
<p>Every event has a <code>type</code> and a <code>created_at</code>; an event of a channel also says which one. Those marked
as part of the log carry <code>seq</code>.</p>
<pre><code>${exampleEvent}</code></pre>
<div class="scroll"><table><thead><tr><th>Type</th><th>Log</th><th>Carries</th></tr></thead><tbody>
${Object.entries(document['x-events']).map(([type, { log, schema }]) => {
  const own = Object.entries(schema.properties ?? {}).filter(([key]) => !envelope.includes(key));
  return html`<tr><td><code>${type}</code></td><td>${log ? 'yes' : ''}</td><td>${own.map(
    ([key, property], index) => html`${index > 0 ? ', ' : ''}<code>${key}</code> ${typeOf(property)}`,
  )}</td></tr>`;
})}</tbody></table></div></section>`;

const errorsHtml = (): Html => html`<section><h2 id="errors">Errors</h2>
<p>A refused call answers with <a href="#shape-Error">Error</a>. Branch on <code>code</code> or <code>name</code>, never on the
message. <code>details</code> names each field of invalid input by its path.</p>
<div class="scroll"><table><thead><tr><th>Name</th><th>Code</th><th>Status</th><th>Try again?</th><th>Meaning</th></tr></thead>
<tbody>${errorList.map(
  ({ name, code, status, retryable, message }) =>
    html`<tr><td><code>${name}</code></td><td>${code}</td><td>${status}</td><td>${retryable ? 'yes' : 'no'}</td><td>${message}</td></tr>`,
)}</tbody></table></div></section>`;

const shapesHtml = (document: OpenApiDocument): Html => html`<section><h2 id="shapes">Shapes</h2>
${Object.entries(document.components.schemas).map(
  ([
    name,
    schema,
  ]) => html`<article class="shape" id="shape-${name}"><h3><a href="#shape-${name}">${name}</a></h3>
${fieldsTable(schema, {})}</article>`,
)}</section>`;

/** The API reference as one page that needs nothing else: no script, no asset. */
export const docsPage = (document: OpenApiDocument): string => {
  const base = new URL(document.servers[0]?.url ?? '/api', 'https://HOST').href.replace('//host/', '//HOST/');
  const page = html`<div class="page">${navigation(document)}<main id="content">
<h1 id="top">Parley API</h1>
<p class="lead">Version ${document.info.version}. Also as <a href="openapi.json">OpenAPI 3.1</a>, for code generators and other
tools.</p>
${conventions(base)}${authentication}${realtime(base)}${eventsHtml(document)}${errorsHtml()}
${document.tags.map(({ name }) => featureHtml(document, name))}${shapesHtml(document)}
</main></div>`;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Parley API reference</title><style>${docsStyle}</style></head>
<body><a class="skip" href="#content">Skip to the content</a>${page.html}</body></html>
`;
};

const policy =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The content is made when it is first asked for: most servers start without a reader. */
const sender = (make: () => string, type: string) => {
  let made: { content: string; tag: string } | undefined;
  const prepare = () => {
    const content = make();
    // Weak: compressed or not it is the same document, but not the same bytes.
    return { content, tag: `W/"${createHash('sha256').update(content).digest('base64url').slice(0, 27)}"` };
  };
  return (request: FastifyRequest, reply: FastifyReply) => {
    made ??= prepare();
    const { content, tag } = made;
    reply.headers({
      etag: tag,
      'cache-control': 'public, max-age=300',
      'content-security-policy': policy,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    });
    if (request.headers['if-none-match'] === tag) return reply.code(304).send();
    return reply.type(type).send(content);
  };
};

/** Serves the reference at /api/docs and the document at /api/openapi.json. */
export const docsRoutes = (app: FastifyInstance, document: () => OpenApiDocument): void => {
  app.get(
    '/api/openapi.json',
    sender(() => JSON.stringify(document()), 'application/json; charset=utf-8'),
  );
  app.get(
    '/api/docs',
    sender(() => docsPage(document()), 'text/html; charset=utf-8'),
  );
};
