// Takes what other apps share, and nothing else: no page and no code is ever answered from here, so nothing can be old.
const address = new URL('share', location);
addEventListener('install', () => skipWaiting());
addEventListener('activate', (event) => event.waitUntil(clients.claim()));
addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method === 'POST' && request.url === address.href) event.respondWith(take(request));
});

async function take(request) {
  const cache = await caches.open(`keepsake.shared${address.pathname.slice(0, -'/share'.length)}`);
  await cache.put(address, new Response(await request.formData()));
  return Response.redirect(address.href, 303);
}
