import { Ajv2020 } from 'ajv/dist/2020.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/base/json.ts';
import { toolContextKey, toolManifest } from '../../src/core/manifests/toolManifest.ts';
import type { McpServer } from '../../src/core/servers/mcpServers.ts';
import { ArgumentCheck } from '../../src/core/schemas/argumentCheck.ts';
import { toServerArguments } from '../../src/core/schemas/propertyAliases.ts';
import type { CatalogServer, ToolCatalog } from '../../src/core/tools/toolCatalog.ts';
import { fullValue } from '../support/modelArguments.ts';
import { strictSchemaProblems } from '../support/strictSchema.ts';
import type { RawTool } from './rawTools.ts';

/** Tools that the server lists and the bridge neither has nor reports as left out, and the other way round. */
export function listingProblems(raw: readonly RawTool[], { tools: ours }: McpServer): string[] {
  const listed = raw.map(({ name }) => name);
  const read = (ours?.tools ?? []).map(({ name }) => name);
  const excused = new Set(ours?.problems.map(({ where }) => where));
  const lost = listed.filter((name) => !read.includes(name) && !excused.has(name));
  return [
    ...lost.map((name) => `"${name}" is lost without a reason`),
    ...read.filter((name) => !listed.includes(name)).map((name) => `"${name}" is not listed`),
    ...(lost.length === 0 && excused.size === 0 && read.length !== listed.length
      ? [`${listed.length} tools listed, ${read.length} read`]
      : []),
  ];
}

/** Tools read from the server that no agent can get at, and declarations that the editor would not take. */
export function registrationProblems(catalog: CatalogServer): string[] {
  const problems: string[] = [];
  const declared = declarations(catalog);
  const known = new Set(catalog.tools.map(({ definition }) => definition.name));
  for (const { name } of catalog.server.tools?.tools ?? []) {
    if (!known.has(name)) problems.push(`"${name}" is not in the catalog`);
  }
  for (const { exposedName, definition, availability, fingerprint } of catalog.tools) {
    if (availability.kind === 'leftOut') {
      if (availability.reason === '') problems.push(`"${definition.name}" is left out silently`);
      continue;
    }
    if (availability.kind === 'search') continue;
    const { when, toolReferenceName, modelDescription } = declared.get(exposedName) ?? {};
    if (when !== toolContextKey(fingerprint)) problems.push(`"${exposedName}" is not declared`);
    if (toolReferenceName !== exposedName) problems.push(`"${exposedName}" has another reference`);
    if (typeof modelDescription !== 'string' || modelDescription.trim() === '') {
      problems.push(`"${exposedName}" has no description`);
    }
  }
  return problems;
}

/** What a strict model API would refuse in the schemas the manifest declares. */
export function schemaProblems(catalog: CatalogServer): string[] {
  return [...declarations(catalog)].flatMap(([name, { inputSchema }]) =>
    strictSchemaProblems(inputSchema).map((problem) => `${name} ${problem}`),
  );
}

/** Schemas of the server that the argument check cannot compile: it would let every call pass. */
export function argumentCheckProblems({ tools }: CatalogServer): string[] {
  const check = new ArgumentCheck();
  const probe = 'an argument no tool has';
  return tools.flatMap(({ definition: { name, inputSchema } }) => {
    const required = Array.isArray(inputSchema['required']) ? inputSchema['required'] : [];
    // With one more required argument a call without arguments must be refused, unless nothing is checked.
    const verdict = check.check({ ...inputSchema, required: [...required, probe] }, {});
    return verdict.isValid ? [`the schema of "${name}" cannot be compiled`] : [];
  });
}

/** Parameters of the server's schema that the model does not get, or gets as optional although they are required. */
export function parameterProblems({ tools }: CatalogServer): string[] {
  return tools.flatMap(({ exposedName, definition, modelSchema, aliases }) => {
    const given = modelSchema['properties'];
    const required = namesOf(modelSchema['required']);
    const told = (name: string): string => aliases?.aliases.get(name) ?? name;
    const { properties } = definition.inputSchema;
    const names = Object.keys(isJsonObject(properties) ? properties : {});
    const isGiven = (name: string): boolean =>
      isJsonObject(given) && Object.hasOwn(given, told(name));
    const known = namesOf(definition.inputSchema['required']).filter((one) => names.includes(one));
    return [
      ...names.filter((name) => !isGiven(name)).map((name) => `${exposedName} lost "${name}"`),
      ...known
        .filter((name) => !required.includes(told(name)))
        .map((name) => `${exposedName} does not require "${name}"`),
    ];
  });
}

/** Arguments as the model's schema asks for them that the check of arguments then refuses. */
export function exampleProblems({ tools }: CatalogServer): string[] {
  const check = new ArgumentCheck();
  const model = new Ajv2020({ strict: false, validateFormats: false, logger: false });
  return tools.flatMap(({ exposedName, definition, modelSchema, aliases }) => {
    const example = fullValue(modelSchema);
    // An example is made without regard to patterns and bounds.
    if (!isJsonObject(example) || !model.validate(modelSchema, example)) return [];
    const args = toServerArguments(aliases, example);
    const verdict = check.check(definition.inputSchema, args, aliases);
    if (verdict.isValid) return [];
    // Patterns that not every engine takes are told in words only.
    const wrong = verdict.message.split('\n').filter((line) => !line.includes('match the pattern'));
    return wrong.map((line) => `${exposedName} ${line}`);
  });
}

function namesOf(value: JsonValue | undefined): string[] {
  return Array.isArray(value) ? value.filter((name) => typeof name === 'string') : [];
}

/** Exposed names that a model API or the editor would refuse, over all servers. */
export function nameProblems({ servers, tools }: ToolCatalog): string[] {
  const names = servers.flatMap((server) => server.tools.map(({ exposedName }) => exposedName));
  return [
    ...names.filter((name) => !/^[A-Za-z0-9_-]{1,64}$/.test(name)).map((name) => `bad: ${name}`),
    ...names.filter((name, index) => names.indexOf(name) !== index).map((name) => `twice: ${name}`),
    ...(tools.size === names.length ? [] : [`${names.length} names, ${tools.size} tools by name`]),
  ];
}

/** Two servers must not share a manifest: one would replace the other. */
export function manifestProblems({ servers }: ToolCatalog): string[] {
  const ids = servers.flatMap((server) => toolManifest(server, workspace)?.extensionId ?? []);
  return ids.filter((id, index) => ids.indexOf(id) !== index).map((id) => `twice: ${id}`);
}

const workspace = 'file:///workspace';

/** The tools of a server's manifest by exposed name, as they stand in the `package.json` the editor reads. */
function declarations(catalog: CatalogServer): Map<string, JsonObject> {
  const text = JSON.stringify(toolManifest(catalog, workspace)?.packageJson ?? {});
  const { contributes } = JSON.parse(text) as JsonObject;
  const tools = isJsonObject(contributes) ? contributes['languageModelTools'] : [];
  return new Map(
    (Array.isArray(tools) ? tools : [])
      .filter(isJsonObject)
      .flatMap((tool) => (typeof tool['name'] === 'string' ? [[tool['name'], tool] as const] : [])),
  );
}
