import { closeCodes, times } from '@parley/protocol';
import { type Html, html } from './docs-html.ts';

const seconds = (milliseconds: number): string => `${milliseconds / 1000} s`;

const exampleCall = (base: string): string => `curl ${base}/channels/team/general/message \\
  -H 'x-api-key: YOUR_KEY' \\
  -H 'authorization: Bearer USER_TOKEN' \\
  -H 'content-type: application/json' \\
  -d '{"message": {"id": "4f1c2a", "text": "Hello"}}'`;

export const conventions = (base: string): Html => html`<section id="start">
<p>All paths are relative to <code>${base}</code>. Bodies and replies are JSON in UTF-8 with snake_case keys. Times are
RFC 3339 in UTC with milliseconds. Records come back under their noun, lists under its plural.</p>
<pre><code>${exampleCall(base)}</code></pre>
<ul>
<li><b>Custom data.</b> Where a shape says “and custom data”, further top-level keys are kept and come back as they were:
at most 5 KiB for each object. A key that only the server sets is refused by name.</li>
<li><b>Queries</b> take <code>filter</code>, <code>sort</code>, <code>limit</code> and <code>next</code>. A reply with
<code>next</code> has another page: send it back as it is. Filters compare a field with a value or with
<code>$eq $ne $gt $gte $lt $lte $in $nin $exists $contains $autocomplete $q</code>, joined by <code>$and $or $nor</code>.</li>
<li><b>Retries are safe for messages.</b> Choose the id yourself: the same id from the same author again gives back the
stored message.</li>
<li><b>Tracing.</b> Every answer carries <code>x-request-id</code>: your own <code>x-client-request-id</code> if you sent
one. Limited calls also carry <code>ratelimit-limit</code>, <code>ratelimit-remaining</code> and
<code>ratelimit-reset</code>; a refusal says <code>retry-after</code>.</li>
</ul></section>`;

export const authentication: Html = html`<section><h2 id="authentication">Authentication</h2>
<p>Two things are asked of a call: which app it belongs to and who makes it.</p>
<ul>
<li><b>The API key</b> names the app, in the header <code>x-api-key</code> or as <code>api_key</code> in the query. It is no
secret.</li>
<li><b>The token</b> is a JWT in the header <code>authorization</code>, with or without <code>Bearer</code>, signed with
HS256 by the secret of the app. For a user it says <code>user_id</code>, <code>iat</code> and, if it should end,
<code>exp</code>. For your own server it says <code>server: true</code>. Sign tokens on your server only: who has the secret
can be anyone.</li>
<li><b>Anonymous visitors</b> send <code>x-auth-type: anonymous</code> and no token. They read channels of types that allow
it, and write nothing. <b>Guests</b> get a token of their own from <a href="#call-postGuest"><code>POST /guest</code></a>.</li>
</ul>
<p>A server acts for a user by naming <code>user_id</code> or <code>user</code> in the body or the query. A client that names
anyone but itself is refused. When a token has expired the answer is <code>TokenExpired</code>: get a new one and make
the call again.</p></section>`;

export const realtime = (base: string): Html => html`<section><h2 id="realtime">Realtime</h2>
<p>Open a WebSocket at <code>${base.replace(/^http/, 'ws')}/connect?api_key=…</code> and send one frame within
${seconds(times.firstFrame)}. The token goes into that frame, never into the URL.</p>
<pre><code>{"type": "connect", "auth_type": "jwt", "token": "…", "payload": {"user_id": "ana"}}</code></pre>
<p>The server answers with <code>health.check</code>, which holds your <code>connection_id</code> and <code>me</code>: your own
user with its unread counts. A bad frame or token gets <code>connection.error</code> and the socket closes with
${closeCodes.authentication}.</p>
<ul>
<li><b>Staying alive.</b> The server sends <code>health.check</code> every ${seconds(times.serverHeartbeat)}, a client should
every ${seconds(times.clientHeartbeat)}. After ${seconds(times.silence)} of silence take the connection for dead.</li>
<li><b>Choosing channels.</b> Query with <code>watch: true</code> and <code>?connection_id=</code> to receive all that happens in
a channel. Events that begin with <code>notification.</code> reach members on all their connections, watching or not.</li>
<li><b>Missing nothing.</b> Events of a channel’s log carry <code>seq</code>, which grows by exactly one in each channel. See
a hole, or come back after a pause, and <a href="#call-postSync"><code>POST /sync</code></a> gives what lies between. It names
under <code>resync</code> the channels whose gap is too old: query those anew.</li>
<li><b>Slow readers</b> are let go with ${closeCodes.slowConsumer} before they hold up others, and recover by sync.</li>
<li><b>No WebSocket?</b> <a href="#call-postLongpoll"><code>POST /longpoll</code></a> opens a connection with the same payload;
each further call waits up to ${seconds(times.longPollWait)} for events and confirms the last ones by
<code>ack</code>.</li>
<li><b>A server that ends</b>, or that may have missed events, sends <code>connection.draining</code>. Open your next connection at a random moment within
<code>within_ms</code> milliseconds, and close the last one when the next has answered.</li>
</ul></section>`;

export const exampleEvent = `{
  "type": "message.new",
  "cid": "team:general",
  "channel_type": "team",
  "channel_id": "general",
  "created_at": "2026-01-31T12:00:00.000Z",
  "seq": 1042,
  "message": { "id": "4f1c2a", "text": "Hello", "user": { "id": "ana" }, … }
}`;
