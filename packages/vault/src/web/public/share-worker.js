// Receives content that other apps share. It serves no pages or scripts, so nothing can be outdated.
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
