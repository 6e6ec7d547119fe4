export function problemResponse(status: 404 | 503, detail: string): Response {
  const body = JSON.stringify({
    status,
    title: status === 404 ? 'Not found' : 'Service unavailable',
    detail,
  });
  return new Response(body, {
    status,
    headers: { 'content-type': 'application/problem+json', ...(status === 503 && { 'retry-after': '1' }) },
  });
}
