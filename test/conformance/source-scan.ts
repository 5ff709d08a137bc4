import ts from 'typescript'

/** A place in a source text, with what is wrong there. */
export interface Finding {
  readonly line: number
  readonly what: 'any' | 'environment'
}

/** Finds the type `any` and every way to the environment's variables. Comments and strings do not count. */
export function scan(text: string): Finding[] {
  const source = ts.createSourceFile('x.ts', text, ts.ScriptTarget.ES2023, true)
  const findings: Finding[] = []
  const visit = (node: ts.Node): void => {
    const what = judge(node)
    if (what) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart(source))
      findings.push({ line: line + 1, what })
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return findings
}

function judge(node: ts.Node): Finding['what'] | null {
  if (node.kind === ts.SyntaxKind.AnyKeyword) return 'any'
  // Importing `process` would hide its variables behind another name, so that counts too.
  if (ts.isImportDeclaration(node) && isProcessModule(node.moduleSpecifier)) return 'environment'
  if (ts.isPropertyAccessExpression(node)) {
    return node.name.text === 'env' && isProcess(node.expression) ? 'environment' : null
  }
  if (ts.isElementAccessExpression(node)) return isProcess(node.expression) ? 'environment' : null
  if (ts.isVariableDeclaration(node) && node.initializer && isProcess(node.initializer)) {
    return 'environment'
  }
  return null
}

function isProcess(node: ts.Expression): boolean {
  if (ts.isPropertyAccessExpression(node)) return node.name.text === 'process'
  return ts.isIdentifier(node) && node.text === 'process'
}

function isProcessModule(node: ts.Expression): boolean {
  return ts.isStringLiteral(node) && /^(node:)?process$/.test(node.text)
}
