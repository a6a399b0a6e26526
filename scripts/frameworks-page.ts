import { globSync, readFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

type Judged = {
  readonly obligation: string
  readonly title: string
  readonly true?: string
  readonly false?: string
}

const services = fileURLToPath(new URL('../bench/frameworks/services', import.meta.url))

const names: Readonly<Record<string, string>> = {
  axum: 'axum with utoipa',
  drf: 'Django REST Framework with drf-spectacular',
  fastapi: 'FastAPI',
  fastify: 'Fastify with @fastify/swagger',
  'flask-smorest': 'Flask with flask-smorest',
  huma: 'huma',
  nestjs: 'NestJS with @nestjs/swagger',
  springdoc: 'Spring with springdoc',
  tsoa: 'Express with tsoa',
}

/** The text of docs/frameworks.md: what was judged by hand. */
export const frameworksPage = (): string => {
  const parts = globSync('*/judged.json', { cwd: services })
    .toSorted()
    .map(file => {
      const lines: readonly Judged[] = JSON.parse(readFileSync(`${services}/${file}`, 'utf8'))
      const rows = lines.map(line => `| ${cell(line.title)} | \`${line.obligation}\` | ${verdict(line)} |`)
      return `## ${names[basename(dirname(file))]}

| finding | requirement | why |
|---|---|---|
${rows.join('\n')}
`
    })
  return `# What frameworks show

\`npm run docs\` writes this page from \`bench/frameworks/services/*/judged.json\`; do not edit it. Each service there is written as the tutorial
of its framework would, and its document is the one that the framework makes. \`npm run bench:frameworks -- --services\` verifies each of them
with ten seeds, by default and with \`--strict\`, and fails on a finding that is not in this list. Each was judged by hand, by the document:
true means that the server does something else than its document or HTTP says. \`*\` stands for any text.

${parts.join('\n')}`
}

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('*', '…')

const verdict = (line: Judged): string =>
  line.true === undefined ? `**not true:** ${line.false ?? ''}` : line.true
