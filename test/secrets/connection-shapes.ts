import type { RandomSecrets } from './random-secrets.ts';
import type { SecretShape } from './secret-shapes.ts';

type Make = (secret: string) => string;

/** Passwords and tokens in URLs, connection strings, configuration files, command lines and sentences. */
export function createConnectionShapes({ made, typed, uuid }: RandomSecrets): SecretShape[] {
  const of = (kind: string, forms: Record<string, Make>, secret: () => string): SecretShape[] =>
    Object.entries(forms).map(([form, make]) => {
      const value = secret();
      return { name: `${kind} ${form}`, text: make(value), secret: value };
    });
  // These characters would have to be escaped where the passwords are used.
  const plain = (): string => typed().replaceAll(/[$#!]/g, '-');
  return [
    ...of('URL', urlForms, plain),
    ...of(
      'URL',
      { 'with @ in the password': (secret) => `postgres://ada:x@${secret}@db.example.org/app` },
      plain,
    ),
    ...of('URL', tokenUrlForms, () => made(40)),
    ...of('webhook', webhookForms, () => made(24)),
    ...of('webhook', { Teams: (id) => teamsWebhook(id, uuid()) }, () => made(32, 'hex')),
    ...of('connection string', connectionStrings, plain),
    ...of('file', fileForms, plain),
    ...of('file', keyFileForms, () => made(44)),
    ...of('file', awsForms, () => `${made(18)}/${made(10)}+${made(10)}`),
    ...of('command', commandForms, plain),
    ...of('command', tokenCommandForms, () => made(32)),
    ...of('sentence', sentenceForms, () => typed().replaceAll('$', 'S')),
  ];
}

const urlForms: Record<string, Make> = {
  PostgreSQL: (secret) => `postgres://admin:${secret}@db.example.org:5432/app`,
  SQLAlchemy: (secret) => `postgresql+psycopg2://admin:${secret}@db/app`,
  MySQL: (secret) => `DATABASE_URL=mysql://root:${secret}@127.0.0.1:3306/shop`,
  MongoDB: (secret) => `mongodb+srv://ada:${secret}@cluster0.ab1cd.mongodb.net/?retryWrites=true`,
  Redis: (secret) => `redis://:${secret}@cache:6379/0`,
  AMQP: (secret) => `amqp://guest2:${secret}@rabbit:5672/%2f`,
  HTTPS: (secret) => `see https://ada:${secret}@intranet.example.org/reports, please`,
  FTP: (secret) => `ftp://ada:${secret}@ftp.example.org`,
  SMTP: (secret) => `smtps://mail%40example.org:${secret}@smtp.example.org:465`,
  LDAP: (secret) => `ldaps://cn=admin:${secret}@ldap.example.org`,
  proxy: (secret) => `HTTPS_PROXY=http://ada:${secret}@proxy:3128`,
  git: (secret) => `git clone https://ada:${secret}@git.example.org/o/r.git`,
  'JDBC, query': (secret) => `jdbc:postgresql://db/app?user=ada&password=${secret}`,
  'JDBC, SQL Server': (secret) => `jdbc:sqlserver://db:1433;user=sa;password=${secret};encrypt=true`,
  'in a link': (secret) => `[the shop](https://ada:${secret}@shop.example.org)`,
};

const tokenUrlForms: Record<string, Make> = {
  'token as user': (secret) => `git remote add o https://${secret}@git.example.org/o/r.git`,
  'token of GitHub Actions': (secret) => `https://x-access-token:${secret}@github.com/o/r`,
  'access token': (secret) => `https://example.org/me?fields=id&access_token=${secret}`,
  key: (secret) => `https://maps.example.org/api?address=x&key=${secret}`,
  'AWS signature': (secret) => `https://b.s3.amazonaws.com/o?X-Amz-Expires=3600&X-Amz-Signature=${secret}`,
  'Azure SAS': (secret) => `https://a.blob.core.windows.net/c?sv=2024-01-01&sp=r&sig=${secret}%3D`,
  'reset link': (secret) => `https://example.org/reset?reset_token=${secret}`,
  'magic link': (secret) => `https://example.org/login#token=${secret}`,
};

const webhookForms: Record<string, Make> = {
  Slack: (secret) => `https://hooks.slack.com/services/T01ABCDEF/B02GHIJKL/${secret}`,
  Discord: (secret) => `https://discord.com/api/webhooks/1234567890123456/${secret}${secret}`,
  Telegram: (secret) => `https://api.telegram.org/bot1234567890:AA${secret}123456789/getMe`,
};

const teamsWebhook = (id: string, tenant: string): string =>
  `https://example.webhook.office.com/webhookb2/${tenant}@${tenant}/IncomingWebhook/${id}/${tenant}`;

const connectionStrings: Record<string, Make> = {
  'ADO.NET': (secret) => `Server=db;Database=app;User Id=sa;Password=${secret};Encrypt=True`,
  ODBC: (secret) => `Driver={ODBC Driver 18};Server=db;UID=sa;PWD=${secret};`,
  libpq: (secret) => `host=db user=ada password=${secret} dbname=app`,
  JAAS: (secret) => `sasl.jaas.config=org.x.PlainLoginModule required username="a" password="${secret}";`,
  Oracle: (secret) => `sqlplus app/${secret}@//db:1521/XE`,
};

const fileForms: Record<string, Make> = {
  pgpass: (secret) => `db.example.org:5432:app:ada:${secret}`,
  netrc: (secret) => `machine api.example.org login ada password ${secret}`,
  pypirc: (secret) => `[pypi]\nusername = ada\npassword = ${secret}`,
  'redis.conf': (secret) => `requirepass ${secret}`,
  WordPress: (secret) => `define( 'DB_PASSWORD', '${secret}' );`,
  NuGet: (secret) => `<add key="ClearTextPassword" value="${secret}" />`,
  Ansible: (secret) => `db1 ansible_user=ada ansible_ssh_pass=${secret}`,
  'Ansible, become': (secret) => `ansible_become_password: ${secret}`,
  Compose: (secret) => `environment:\n  - POSTGRES_PASSWORD=${secret}`,
  'Wi-Fi': (secret) => `network={\n  ssid="home"\n  psk="${secret}"\n}`,
  'Spring, YAML': (secret) => `spring:\n  datasource:\n    password: ${secret}`,
  Terraform: (secret) => `administrator_login_password = "${secret}"`,
  'git-credentials': (secret) => `https://ada:${secret}@git.example.org`,
  Kubernetes: (secret) => `kind: Secret\nstringData:\n  db-password: ${secret}`,
  Maven: (secret) => `<server><username>ada</username><password>${secret}</password></server>`,
};

const keyFileForms: Record<string, Make> = {
  npmrc: (secret) => `//registry.npmjs.org/:_authToken=${secret}`,
  'npmrc, basic': (secret) => `_auth=${secret}=`,
  'Docker login': (secret) => `{"auths": {"ghcr.io": {"auth": "${secret}="}}}`,
  kubeconfig: (secret) => `users:\n- name: a\n  user:\n    token: ${secret}`,
  Rails: (secret) => `production:\n  secret_key_base: ${secret}`,
  Laravel: (secret) => `APP_KEY=base64:${secret}=`,
  Django: (secret) => `SECRET_KEY = 'django-insecure-${secret}'`,
  'Azure storage': (secret) => `DefaultEndpointsProtocol=https;AccountName=a;AccountKey=${secret}==;`,
  'Azure bus': (secret) => `Endpoint=sb://a/;SharedAccessKeyName=Root;SharedAccessKey=${secret}=`,
  'AWS session': (secret) => `aws_session_token=${secret}`,
  'encryption key': (secret) => `ENCRYPTION_KEY=${secret}`,
  'vendor key': (secret) => `COHERE_KEY=${secret}`,
  'GitHub Actions': (secret) => `env:\n  DEPLOY_KEY: ${secret}`,
};

const awsForms: Record<string, Make> = {
  'AWS credentials': (secret) => `[default]\naws_secret_access_key = ${secret}`,
  'AWS environment': (secret) => `export AWS_SECRET_ACCESS_KEY=${secret}`,
};

const commandForms: Record<string, Make> = {
  'mysql -p': (secret) => `mysql -u root -p${secret} shop`,
  'mysql --password': (secret) => `mysql --user root --password ${secret} shop`,
  'long option with =': (secret) => `mysqldump --password=${secret} shop`,
  'quoted option': (secret) => `mongosh --username ada --password '${secret}'`,
  sshpass: (secret) => `sshpass -p '${secret}' ssh ada@example.org`,
  'curl -u': (secret) => `curl -u ada:${secret} https://example.org`,
  'curl --user': (secret) => `curl --user 'ada:${secret}' https://example.org`,
  'docker login': (secret) => `docker login -u ada -p ${secret} ghcr.io`,
  'docker run': (secret) => `docker run -e POSTGRES_PASSWORD=${secret} postgres`,
  PGPASSWORD: (secret) => `PGPASSWORD=${secret} psql -h db -U ada`,
  'redis-cli': (secret) => `redis-cli -h cache -a ${secret} ping`,
  kubectl: (secret) => `kubectl create secret generic db --from-literal=password=${secret}`,
  helm: (secret) => `helm install db x/postgresql --set auth.password=${secret}`,
  terraform: (secret) => `terraform apply -var="db_password=${secret}"`,
  ansible: (secret) => `ansible-playbook site.yml -e "vault_password=${secret}"`,
  openssl: (secret) => `openssl rsa -in key.pem -passin pass:${secret}`,
  gpg: (secret) => `gpg --batch --passphrase ${secret} -d file.gpg`,
  zip: (secret) => `zip -P ${secret} out.zip file`,
  '7z': (secret) => `7z x archive.7z -p${secret}`,
  'az login': (secret) => `az login --service-principal -u app -p ${secret} --tenant t`,
  wget: (secret) => `wget --http-user=ada --http-password=${secret} https://example.org`,
  'htpasswd -b': (secret) => `htpasswd -b users ada ${secret}`,
  chpasswd: (secret) => `echo 'ada:${secret}' | chpasswd`,
  'password on standard input': (secret) => `echo "${secret}" | docker login --password-stdin`,
};

const tokenCommandForms: Record<string, Make> = {
  '--token': (secret) => `gh-tool --token ${secret}`,
  'named only': (secret) => `ghcr token ${secret}`,
  '--api-key=': (secret) => `tool push --api-key=${secret}`,
  'vault login': (secret) => `vault login ${secret}`,
  'aws configure': (secret) => `aws configure set aws_secret_access_key ${secret}`,
  'npm config': (secret) => `npm config set //registry.npmjs.org/:_authToken ${secret}`,
  heroku: (secret) => `heroku config:set API_KEY=${secret} --app a`,
};

const sentenceForms: Record<string, Make> = {
  'the password is': (secret) => `the password is ${secret} by the way`,
  'my password is, colon': (secret) => `My password is: ${secret}`,
  'Wi-Fi': (secret) => `Wi-Fi password: ${secret}`,
  'with a bracket': (secret) => `Password (router): ${secret}`,
  'on the next line': (secret) => `Password:\n${secret}\n`,
  'user and password': (secret) => `login ada / password ${secret}`,
  French: (secret) => `le mot de passe est ${secret}, merci`,
  'French, colon': (secret) => `Mot de passe : ${secret}`,
  'French, guillemets': (secret) => `le mot de passe est « ${secret} »`,
  'French, short': (secret) => `mdp : ${secret}`,
  'French, key': (secret) => `clé API : ${secret}`,
  'French, with a place': (secret) => `Mot de passe Wi-Fi : ${secret}`,
  'with a purpose': (secret) => `password for the router: ${secret}`,
  'is, with a purpose': (secret) => `The admin password for prod is ${secret}.`,
  SQL: (secret) => `CREATE USER ada WITH PASSWORD '${secret}';`,
  'SQL, MySQL': (secret) => `GRANT ALL ON shop.* TO ada IDENTIFIED BY '${secret}'`,
  German: (secret) => `Passwort: ${secret}`,
  Spanish: (secret) => `la contraseña es ${secret}`,
  'in bold': (secret) => `**Password**: ${secret}`,
  passcode: (secret) => `The passcode is "${secret}".`,
};
