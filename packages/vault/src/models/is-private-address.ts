/** Loopback, private and link-local addresses, and the shared address space that mesh VPNs use. */
const privateIpv4 =
  /^(?:127|10|192\.168|169\.254|172\.(?:1[6-9]|2\d|3[01])|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\.[\d.]+$/;
const privateIpv6 = /^\[(?:::1\]|f[cd]|fe[89ab])/;
const privateName = /^[^.:]+$|\.(?:local|localhost|lan|internal|home\.arpa)$/;

/** Whether a URL names this machine or one in a private network, by its address or by a name without a public domain. */
export function isPrivateAddress(url: string): boolean {
  const host = URL.parse(url)?.hostname ?? '';
  return [privateIpv4, privateIpv6, privateName].some((pattern) => pattern.test(host));
}
