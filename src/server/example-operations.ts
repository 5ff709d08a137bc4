/** What GraphiQL opens with. */
export const EXAMPLE_OPERATIONS = `# Engram: agent memory as a live GraphQL API.

mutation CreateBank {
  createBank(input: { bankId: "garden", name: "Community garden", config: { dispositionEmpathy: 4 } }) {
    ... on CreateBankSuccess { bank { id bankId config { retainChunkSize dispositionEmpathy } } }
    ... on Error { message code reason }
    ... on ValidationError { issues { path message code } }
  }
}

query Banks {
  banks(first: 10) { edges { node { bankId name configOverrides streamCursor } } totalCount }
}

subscription Operations {
  operationEvents { ... on StreamEvent { cursor at } ... on OperationChange { type status change progress { stage fraction } } }
}
`
