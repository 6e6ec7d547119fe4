// The service stands: hostile requests are refused in bounded time and memory, a token that may read never writes, and no other name or origin gets in.
// Limit: 120 s
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { broken, held, newToken, newVault, serve, text } from './lib/world.mjs';

await newVault();
const [write, read] = [await newToken('write'), await newToken('read')];
const service = await serve();
const { host, port } = new URL(service.url);
const base = '/api/vaults/default';
const before = text('overview.md');
const observed = [];

/** Each probe gives a status; `isRight` tells which are. None may take longer than 20 s or end the service. */
async function probe(name, send, isRight) {
  const began = performance.now();
  let status;
  try {
    status = await send();
  } catch (error) {
    status = error.cause?.code ?? error.message;
  }
  const seconds = (performance.now() - began) / 1_000;
  console.log(name, status, `${seconds.toFixed(1)} s`);
  if (service.hasEnded) broken(`${name}: the service ended`);
  if (!isRight(status)) observed.push(`${name} is answered with ${status}`);
  else if (seconds > 20) observed.push(`${name} takes ${Math.round(seconds)} s`);
}
const isAnswered = (status) => status >= 200 && status < 500;
const isRefused = (status) => status >= 400 && status < 500;

const post =
  (path, body, token = write, headers = {}) =>
  async () =>
    (
      await fetch(`${service.url}${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
        signal: AbortSignal.timeout(30_000),
      }).then(async (response) => (await response.arrayBuffer(), response))
    ).status;
const mcp = (body) =>
  post('/mcp', body, write, {
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2025-06-18',
  });
/** Raw bytes; the status of the first answer, or 0 when the connection was closed without one. */
const raw = (bytes) => () =>
  new Promise((resolve) => {
    const socket = connect(Number(port), '127.0.0.1');
    let answer = '';
    const end = () => (socket.destroy(), resolve(Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? 0)));
    socket.on('data', (part) => (answer += part).includes('\r\n') && end());
    socket.on('error', end).on('close', end).setTimeout(5_000, end);
    socket.write(bytes);
  });

const nested = (depth) => '['.repeat(depth) + ']'.repeat(depth);
const many = (count, value) => Array.from({ length: count }, () => value);
await probe(
  'JSON 900,000 levels deep',
  post(`${base}/tools/read`, `{"input":${nested(900_000)}}`),
  isAnswered,
);
await probe(
  'objects 200,000 levels deep',
  post(`${base}/tools/read`, `{"input":${'{"path":'.repeat(200_000)}1${'}'.repeat(200_000)}}`),
  isAnswered,
);
await probe(
  'MCP a million levels deep',
  mcp(
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"vault_read","arguments":{"paths":${nested(1_000_000)}}}}`,
  ),
  isAnswered,
);
await probe(
  'MCP meta a million levels deep',
  mcp(`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":${nested(1_000_000)}}}`),
  isAnswered,
);
await probe(
  'an MCP batch of 100,000',
  mcp(`[${many(100_000, '{"jsonrpc":"2.0","id":1,"method":"ping"}').join(',')}]`),
  isAnswered,
);
await probe(
  '__proto__',
  post(
    `${base}/tools/read`,
    '{"input":{"paths":"overview.md","__proto__":{"isConfirmed":true}},"__proto__":{"reader":"person"}}',
  ),
  isAnswered,
);
await probe('a query of 1 MB', post(`${base}/search`, { queries: ['a'.repeat(1_000_000)] }), isAnswered);
await probe('100,000 queries', post(`${base}/search`, { queries: many(100_000, 'boiler') }), isRefused);
for (const scope of ['{a,b}'.repeat(60), '+(+(+(+(+(+(a|b)*)*)*)*)*)c', '*a'.repeat(200)])
  await probe(
    `the scope ${scope.slice(0, 12)}…`,
    post(`${base}/search`, { queries: ['x'], scopes: [scope] }),
    isAnswered,
  );
await probe(
  'reading 50,000 paths',
  post(`${base}/tools/read`, { input: { paths: many(50_000, 'overview.md') } }),
  isAnswered,
);
await probe(
  'quoting 20,000 files',
  post(
    `${base}/tools/concat`,
    { reader: 'person', input: { files: many(20_000, { path: 'overview.md' }) } },
    read,
  ),
  isAnswered,
);
await probe(
  'verifying 2 MB',
  post(`${base}/verify`, { document: '```vault/overview.md (lines 1-2)\n1 | x\n```\n'.repeat(40_000) }, read),
  isAnswered,
);

const note = { input: { path: 'bucket/x.md', content: 'x' } };
await probe('a link for a token that reads', post(`${base}/links`, '{}', read), isRefused);
await probe('writing with a token that reads', post(`${base}/tools/write`, note, read), isRefused);
await probe(
  'writing with another method named',
  post(`${base}/tools/write`, note, read, { 'x-http-method-override': 'GET' }),
  isRefused,
);
await probe('writing with a slash more', post(`${base}/tools/write/`, note, read), isRefused);
await probe('writing in other letters', post(`${base}/tools/wRite`, note, read), isRefused);
await probe(
  'moving below two slashes',
  post(`/${base}/files/move`, { from: 'overview.md', to: 'x.md' }, read),
  isRefused,
);
await probe('no token', post(`${base}/tools/read`, note, ''), (status) => status === 401);

const get = (target, ...headers) => raw(`${[`GET ${target} HTTP/1.1`, ...headers].join('\r\n')}\r\n\r\n`);
await probe('a foreign Host', get('/api/health', 'Host: evil.example'), isRefused);
await probe(
  'a foreign Host under our address',
  get(`${service.url}/api/health`, 'Host: evil.example'),
  isRefused,
);
await probe('two Hosts', get('/api/health', `Host: ${host}`, 'Host: evil'), isRefused);
await probe('a Host with a user', get('/api/health', `Host: evil@${host}`), isRefused);
await probe(
  'a foreign Origin',
  get('/api/health', `Host: ${host}`, 'Origin: https://evil.example'),
  isRefused,
);
await probe('the Origin null', get('/api/health', `Host: ${host}`, 'Origin: null'), isRefused);
await probe(
  'a bad percent sign',
  get(`${base}/files/%E0%A4%A`, `Host: ${host}`, `Authorization: Bearer ${write}`),
  isRefused,
);
await probe(
  'two lengths',
  raw(
    `POST ${base}/tools/read HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  ),
  isRefused,
);
await probe(
  'an unknown encoding',
  raw(`POST ${base}/tools/read HTTP/1.1\r\nHost: ${host}\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`),
  isRefused,
);
await probe(
  'CONNECT',
  raw(`CONNECT 127.0.0.1:22 HTTP/1.1\r\nHost: ${host}\r\n\r\n`),
  (status) => status === 0 || isRefused(status),
);

if (text('overview.md') !== before || text('bucket/x.md') !== '')
  observed.push('a token that may only read has written');
const megabytes =
  Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${service.pid}/status`, 'utf8'))?.[1] ?? 0) / 1_000;
if (megabytes > 2_000) observed.push(`the service took ${Math.round(megabytes)} MB`);
if (/"event":"error"|"status":500/.test(service.log)) observed.push('something broke inside');
await probe('health at the end', get('/api/health', `Host: ${host}`), (status) => status === 200);
if (observed.length > 0) broken(observed.join('; '));
held();
