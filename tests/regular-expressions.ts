/** The regular expressions that modules have in their text. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ESTree, parseSync, Visitor } from 'rolldown/utils'

export type RegularExpression = { readonly source: string; readonly flags: string; readonly file: string }

/**
 * Every literal, and every `new RegExp()` of texts that stand in the modules themselves. What is made of other values, such as the name of
 * a parameter, is not there. `files`: paths below `root`.
 */
export const regularExpressions = (root: string, files: readonly string[]): readonly RegularExpression[] => {
  const modules = files.map(file => {
    const { program } = parseSync(file, readFileSync(join(root, file), 'utf8'))
    const texts = new Map<string, ESTree.Expression>()
    const exported = new Set<string>()
    new Visitor({
      ExportNamedDeclaration({ declaration }) {
        if (declaration?.type !== 'VariableDeclaration') return
        for (const { id } of declaration.declarations) if (id.type === 'Identifier') exported.add(id.name)
      },
      VariableDeclarator({ id, init }) {
        if (id.type === 'Identifier' && init !== null) texts.set(id.name, init)
      },
    }).visit(program)
    return { file, program, texts, exported }
  })
  return modules.flatMap(({ file, program, texts }) => {
    const found: RegularExpression[] = []
    const named = (name: string): ESTree.Expression | undefined =>
      texts.get(name) ?? modules.find(({ exported }) => exported.has(name))?.texts.get(name)
    new Visitor({
      Literal(node) {
        if ('regex' in node) found.push({ source: node.regex.pattern, flags: node.regex.flags, file })
      },
      NewExpression({ callee, arguments: [pattern, flags] }) {
        if (callee.type !== 'Identifier' || callee.name !== 'RegExp') return
        const source = textOf(pattern, named)
        if (source !== null) found.push({ source, flags: textOf(flags, named) ?? '', file })
      },
    }).visit(program)
    return found
  })
}

type Named = (name: string) => ESTree.Expression | undefined

/** The text that an expression always is; null if it depends on something. */
const textOf = (node: ESTree.Node | undefined, named: Named): string | null => {
  switch (node?.type) {
    case 'Literal':
      return 'regex' in node ? node.regex.pattern : typeof node.value === 'string' ? node.value : null
    case 'Identifier':
      return textOf(named(node.name), named)
    case 'TaggedTemplateExpression':
      return textOfTemplate(node.quasi, 'raw', named)
    case 'TemplateLiteral':
      return textOfTemplate(node, 'cooked', named)
    default:
      return null
  }
}

const textOfTemplate = (
  node: ESTree.TemplateLiteral,
  form: 'raw' | 'cooked',
  named: Named,
): string | null => {
  const parts = node.expressions.map(each => textOf(each, named))
  return parts.includes(null)
    ? null
    : node.quasis.map(({ value }, at) => (value[form] ?? '') + (parts[at] ?? '')).join('')
}
