import type { FoundSecret } from './found-secret.ts';
import { isDottedName } from './references.ts';

/** Vendor, pattern of the prefix, and the minimum number of characters that follow it. */
const prefixes: readonly (readonly [vendor: string, prefix: string, length: number])[] = [
  ['Keepsake', 'keepsake_', 40],
  ['OpenAI or Anthropic', 'sk-', 16],
  ['Stripe', '(?:sk|rk|pk)_(?:live|test|prod)_', 10],
  ['Stripe', 'whsec_', 16],
  ['ElevenLabs', 'sk_(?=[0-9a-f]{48})', 48],
  ['GitHub', 'gh[opsur]_', 20],
  ['GitHub', 'github_pat_', 20],
  ['GitLab', 'gl(?:pat|dt|ft|rt|ptt|oas|soat|cbt|imt|agent|ffct)-', 16],
  ['GitLab', 'GR1348941', 20],
  ['Grafana', 'gl(?:c|sa)_', 20],
  ['Bitbucket', 'ATBB', 28],
  ['Atlassian', 'AT[AC]TT3', 30],
  ['CircleCI', 'CCI(?:PAT|PRJ)_', 30],
  ['Buildkite', 'bk[a-z]{2}_(?=[0-9a-f]{40})', 40],
  ['SonarQube', 'sq[apu]_(?=[0-9a-f]{40})', 40],
  ['Sourcegraph', 'sgp_', 40],
  ['npm', 'npm_', 30],
  ['PyPI', 'pypi-', 30],
  ['RubyGems', 'rubygems_', 30],
  ['crates.io', 'crates?-io_|cio(?=[A-Za-z0-9]{32})', 30],
  ['NuGet', 'oy2(?=[a-z0-9]{43})', 43],
  ['Clojars', 'CLOJARS_', 50],
  ['Docker', 'dckr_(?:pat|oat)_', 20],
  ['Artifactory', 'AKCp', 60],
  ['AWS', '(?:A3T[A-Z0-9]|AKIA|ASIA|ABIA|ACCA)(?=[A-Z0-9]{16})', 16],
  ['Google', 'AIza', 30],
  ['Google', 'ya29\\.', 20],
  ['Google', 'GOCSPX-', 20],
  ['Google', '1\\/\\/0', 40],
  ['Alibaba', 'LTAI', 20],
  ['Yandex', 'AQVN', 35],
  ['DigitalOcean', 'do[opr]_v1_', 30],
  ['Cloudflare', 'cf(?:k|ut|at)_', 40],
  ['Cloudflare', 'v1\\.0-(?=[0-9a-f]{24}-)', 100],
  ['Fly.io', 'fm[12][ar]?_|fo1_', 40],
  ['Heroku', 'HRKU-', 40],
  ['Vercel', 'vc[piark]_', 20],
  ['Netlify', 'nf[pucod]_', 36],
  ['Render', 'rnd_', 24],
  ['Supabase', 'sbp_|sb_secret_', 24],
  ['PlanetScale', 'pscale_(?:tkn|pw|oauth)_', 30],
  ['Neon', 'napi_', 40],
  ['Databricks', 'dapi(?=[0-9a-f]{32})', 32],
  ['HashiCorp Vault', 'hv[sbr]\\.', 20],
  ['Pulumi', 'pul-(?=[0-9a-f]{40})', 40],
  ['Doppler', 'dp\\.(?:pt|st|ct|sa|scim|audit)\\.', 30],
  ['OpenShift', 'sha256~', 43],
  ['1Password', 'A3-(?=[A-Z0-9]{6}-[A-Z0-9-]{20})', 26],
  ['1Password', 'ops_ey', 100],
  ['age', 'AGE-SECRET-KEY-1', 30],
  ['Tailscale', 'tskey-', 16],
  ['Slack', 'xox[a-z](?:\\.xox[a-z])?-', 10],
  ['Slack', 'xapp-', 16],
  ['Twilio', 'SK(?=[0-9a-f]{32})', 32],
  ['SendGrid', 'SG\\.', 30],
  ['Brevo', 'xkeysib-', 64],
  ['Mailgun', '(?:pub)?key-(?=[0-9a-f]{32})', 32],
  ['Resend', 're_(?=[A-Za-z0-9]{8}_)', 24],
  ['Notion', 'ntn_', 20],
  ['Notion', 'secret_(?=[A-Za-z0-9]{43})', 43],
  ['Linear', 'lin_(?:api|oauth)_', 20],
  ['Figma', 'fig[du]_', 20],
  ['Airtable', 'pat[A-Za-z0-9]{14}\\.(?=[0-9a-f]{64})', 64],
  ['Postman', 'PMAK-', 24],
  ['HubSpot', 'pat-(?:na|eu)\\d-', 36],
  ['Typeform', 'tfp_', 40],
  ['ReadMe', 'rdme_', 60],
  ['Shopify', 'shp(?:at|ca|pa|ss)_', 20],
  ['Shippo', 'shippo_(?:live|test)_', 40],
  ['Square', 'sq0(?:atp|csp|idp)-', 16],
  ['EasyPost', 'EZ[AT]K', 54],
  ['Flutterwave', 'FLWSECK(?:_TEST)?-', 20],
  ['Duffel', 'duffel_(?:live|test)_', 40],
  ['Facebook or Square', 'EAA[A-Z]', 40],
  ['Groq', 'gsk_', 24],
  ['xAI', 'xai-', 24],
  ['Perplexity', 'pplx-', 24],
  ['Replicate', 'r8_', 24],
  ['Hugging Face', 'hf_|api_org_', 24],
  ['Pinecone', 'pcsk_', 40],
  ['LangSmith', 'lsv2_(?:pt|sk)_', 40],
  ['Tavily', 'tvly-', 24],
  ['Sentry', 'sntry[su]?_', 24],
  ['New Relic', 'NR(?:AK|II|JS)-', 19],
  ['Dynatrace', 'dt0[a-z]\\d{2}\\.', 60],
  ['PostHog', 'ph[cx]_', 24],
];

/** Keys without a prefix of their own, and a part that is rare in other texts, so that their patterns are rarely tried. */
const otherKeys: readonly (readonly [vendor: string, part: RegExp, pattern: RegExp])[] = [
  ['Azure', /\dQ~/, /(?<![\w~.-])[A-Za-z0-9_~.]{3}\dQ~[A-Za-z0-9_~.-]{31,34}/g],
  ['Terraform', /\.atlasv1\./, /(?<![\w.-])[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{60,70}/g],
  ['Telegram', /\d:AA/, /(?<![\w-])\d{8,10}:AA[A-Za-z0-9_-]{32,34}/g],
  ['Mailchimp', /-us\d/, /(?<![\w-])[0-9a-f]{32}-us\d{1,2}/g],
  ['Discord', /\.[\w-]{6}\./, /(?<![\w-])[MNO][A-Za-z0-9_-]{23,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,40}/g],
];

const rest = '[A-Za-z0-9_.=+/-]';
const keyPatterns = prefixes.map(([, prefix, length]) => `(?:${prefix})${rest}{${length},}`);
/** All prefixes in one pattern, so that a text is scanned once. */
const anyKey = new RegExp(`(?<![A-Za-z0-9_-])(?:${keyPatterns.join('|')})`, 'g');

/** Finds keys in the formats of known vendors. */
export function* findVendorKeys(text: string): Generator<FoundSecret> {
  for (const { 0: key, index } of text.matchAll(anyKey))
    if (!isExample(key)) yield { start: index, end: index + key.length, kind: `${vendorOf(key)} key` };
  for (const [vendor, part, pattern] of otherKeys)
    if (part.test(text))
      for (const { 0: key, index } of text.matchAll(pattern))
        yield { start: index, end: index + key.length, kind: `${vendor} key` };
}

/** `ghp_xxxxxxxx`, `sk-learn-with-examples` */
function isExample(key: string): boolean {
  return /^[^A-Z0-9]+$/.test(key) || /(.)\1{7}/.test(key) || isDottedName(key);
}

function vendorOf(key: string): string {
  const index = keyPatterns.findIndex((pattern) => new RegExp(`^${pattern}`).test(key));
  return prefixes[index]?.[0] ?? '';
}
