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

/** How many findings of each framework the page shows. */
const shown = 3

/** The text of docs/frameworks.md: what was judged by hand, in numbers and by a sample. */
export const frameworksPage = (): string => {
  const parts = globSync('*/judged.json', { cwd: services })
    .toSorted()
    .map(file => {
      const folder = basename(dirname(file))
      const lines: readonly Judged[] = JSON.parse(readFileSync(`${services}/${file}`, 'utf8'))
      return { folder, name: names[folder] ?? folder, lines }
    })
  const sums = parts.map(({ folder, name, lines }) => {
    const wrong = lines.filter(line => line.true === undefined).length
    return `| ${name} | ${lines.length - wrong} | ${wrong} | \`${folder}/judged.json\` |`
  })
  const rows = parts.flatMap(({ name, lines }) =>
    lines
      .slice(0, shown)
      .map(line => `| ${name} | ${cell(line.title)} | \`${line.obligation}\` | ${verdict(line)} |`),
  )
  return `# What frameworks show

Nine services are written as the tutorials of their frameworks would write them, and each framework makes the document of its service.
\`npm run bench:frameworks -- --services\` verifies each with ten seeds, by default and with \`--strict\`. It fails on a finding that is not
in a list. People judged each finding of the lists by the document. *True* means that the server does not do what its document or HTTP says.

| framework | kinds of findings that are true | not true | all of them, in \`bench/frameworks/services/\` |
|---|---|---|---|
${sums.join('\n')}

\`npm run docs\` writes this page. It shows the first findings of each framework. An ellipsis stands for any text.

| framework | finding | requirement | why |
|---|---|---|---|
${rows.join('\n')}
`
}

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('*', '…')

const verdict = (line: Judged): string =>
  line.true === undefined ? `**not true:** ${line.false ?? ''}` : line.true
