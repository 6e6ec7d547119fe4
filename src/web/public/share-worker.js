// Takes what other apps share, and nothing else: no page and no code is ever answered from here, so nothing can be old.
addEventListener('install', () => skipWaiting());
addEventListener('activate', (event) => event.waitUntil(clients.claim()));
addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method === 'POST' && new URL(request.url).pathname === '/share')
    event.respondWith(take(request));
});

async function take(request) {
  const cache = await caches.open('keepsake.shared');
  await cache.put('/share', new Response(await request.formData()));
  return Response.redirect('/share', 303);
}
