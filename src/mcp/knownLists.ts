import { isJsonObject, jsonEqual } from '../base/json.ts';
import type { Logger } from '../base/log.ts';
import type { Problem } from '../core/problem.ts';
import { readPrompts, type ServerPrompts } from '../core/prompts/promptDefinition.ts';
import {
  readResources,
  readResourceTemplates,
  type ServerResources,
} from '../core/resources/resourceDefinition.ts';
import type { ServerLists, ServerTools } from '../core/servers/mcpServers.ts';
import type { ServerConfiguration } from '../core/settings/serverConfiguration.ts';
import type { ToolCache } from '../core/tools/toolCache.ts';
import { readTools } from '../core/tools/toolDefinition.ts';
import { ChangeDamper } from './changeDamper.ts';
import { ListRefresher } from './listRefresher.ts';
import type { Session } from './session.ts';
import type { ListName } from './sessionLists.ts';

interface KnownListsOptions {
  readonly log: Logger;
  readonly cache: ToolCache;
  readonly configuration: () => ServerConfiguration;
  /** Whether it is still this session that counts. */
  readonly isCurrent: (session: Session) => boolean;
  readonly onDidChange: () => void;
}

const noSignal = new AbortController().signal;

/** What a server lists: at first as it was cached, then as its session says. A reading that fails keeps what there was. */
export class KnownLists {
  readonly #options: KnownListsOptions;
  readonly #refreshers: Readonly<Record<ListName, { refresh(session: Session): Promise<void> }>>;
  readonly #dampers = new WeakMap<Session, Map<ListName, ChangeDamper>>();
  /** Sessions whose server tells of changes no longer. */
  readonly #silent = new WeakMap<Session, Problem>();
  #tools: ServerTools | undefined;
  #lists: ServerLists;

  constructor(options: KnownListsOptions) {
    this.#options = options;
    const configuration = options.configuration();
    this.readCache();
    this.#lists = readCachedLists(options.cache.readLists(configuration));
    this.#refreshers = {
      tools: this.#toolRefresher(),
      resources: this.#resourceRefresher(),
      prompts: this.#promptRefresher(),
    };
  }

  /** Takes the tools as they were cached, within the limits there are now. */
  readCache(): void {
    const { cache, configuration } = this.#options;
    const cached = cache.read(configuration());
    if (!Array.isArray(cached)) return;
    const { limits } = configuration();
    this.#tools = { ...readTools(cached.slice(0, limits.tools), limits), isFromCache: true };
  }

  get tools(): ServerTools | undefined {
    return this.#tools;
  }

  /** Resources, and prompts if the settings want them listed. */
  get lists(): ServerLists {
    const { prompts, ...others } = this.#lists;
    if (!this.#options.configuration().prompts || prompts === undefined) return others;
    return { ...others, prompts };
  }

  /** Reads the tools, and resources and prompts behind them in the background. Resolves when the tools are read. */
  async readAll(session: Session): Promise<void> {
    await this.refresh(session, 'tools');
    if (!this.#options.isCurrent(session)) return;
    void this.refresh(session, 'resources');
    void this.refresh(session, 'prompts');
  }

  /** The server says that the list has changed: it is read again soon, or later if that was said in vain before. */
  noteChange(session: Session, list: ListName): void {
    const dampers = this.#dampers.get(session) ?? new Map<ListName, ChangeDamper>();
    this.#dampers.set(session, dampers);
    const damper =
      dampers.get(list) ??
      new ChangeDamper(
        settleTimes[list],
        () => this.#readAgain(session, list),
        () => this.#notePostponed(session, list),
      );
    dampers.set(list, damper);
    damper.note();
  }

  /** The server tells of changes no longer: the lists may be out of date from now on. */
  noteSilence(session: Session, reason: string): void {
    const message = `Changes of its lists are told no longer (${reason}). Use "Refresh" to read them again.`;
    const problem = { where: 'tools/list', message };
    this.#silent.set(session, problem);
    this.#setProblems(session, 'tools', (before) => [...before, problem]);
  }

  #notePostponed(session: Session, list: ListName): void {
    const message = `The server changes its ${list} very often, so they are read only a few times a minute: the newest change is not shown yet.`;
    this.#options.log.warn(message);
    this.#setProblems(session, list, (before) => [...before, { where: `${list}/list`, message }]);
  }

  #noteFailure(session: Session, list: ListName, { where, message }: Problem): void {
    const isKnown = (list === 'tools' ? this.#tools : this.#lists[list]) !== undefined;
    const problem = {
      where,
      message: isKnown ? `${message} (The list from before stays.)` : message,
    };
    this.#setProblems(session, list, () => [problem]);
  }

  /** Shows problems with what is known of a list; its next reading takes them away. */
  #setProblems(
    session: Session,
    list: ListName,
    next: (before: readonly Problem[]) => readonly Problem[],
  ): void {
    if (!this.#options.isCurrent(session)) return;
    const { resources = noResources, prompts = noPrompts } = this.#lists;
    if (list === 'tools') {
      const tools = this.#tools ?? { tools: [], problems: [], isFromCache: false };
      this.#tools = { ...tools, problems: next(tools.problems) };
      this.#options.onDidChange();
    } else if (list === 'resources') {
      const problems = next(resources.problems);
      this.#keep(session, { ...this.#lists, resources: { ...resources, problems } });
    } else {
      const problems = next(prompts.problems);
      this.#keep(session, { ...this.#lists, prompts: { ...prompts, problems } });
    }
  }

  async #readAgain(session: Session, list: ListName): Promise<boolean> {
    if (!this.#options.isCurrent(session)) return false;
    const known = (): unknown =>
      list === 'tools' ? this.#tools?.tools : { ...this.#lists[list], problems: [] };
    const before = known();
    await this.refresh(session, list);
    return !jsonEqual(before, known());
  }

  /** Reads all lists again. */
  async refreshAll(session: Session): Promise<void> {
    const lists = ['tools', 'resources', 'prompts'] as const;
    await Promise.all(lists.map((list) => this.refresh(session, list)));
  }

  /** Resolves when the list is read or has failed to be. Never rejects. */
  refresh(session: Session, list: ListName): Promise<void> {
    return this.#refreshers[list].refresh(session);
  }

  #toolRefresher(): ListRefresher<Session, ServerTools> {
    const { log, cache, configuration, isCurrent, onDidChange } = this.#options;
    return new ListRefresher<Session, ServerTools>({
      method: 'tools/list',
      name: 'tool list',
      log,
      read: (session) => {
        const { timeouts, limits } = configuration();
        return session.listTools(timeouts.connect, noSignal, limits);
      },
      onDidRead: (session, tools) => {
        if (!isCurrent(session)) return;
        log.info(`tools: ${tools.tools.length}`);
        const silence = this.#silent.get(session);
        this.#tools = silence ? { ...tools, problems: [...tools.problems, silence] } : tools;
        cache.write(configuration(), tools.tools);
        onDidChange();
      },
      onDidFail: (session, problem) => this.#noteFailure(session, 'tools', problem),
    });
  }

  #resourceRefresher(): ListRefresher<Session, ServerResources> {
    return new ListRefresher<Session, ServerResources>({
      method: 'resources/list',
      name: 'resource list',
      log: this.#options.log,
      read: async (session) => {
        const [listed, templated] = await Promise.all([
          session.listResources(this.#listOptions()),
          session.listResourceTemplates(this.#listOptions()),
        ]);
        const problems = [...listed.problems, ...templated.problems];
        return { resources: listed.resources, templates: templated.templates, problems };
      },
      onDidRead: (session, resources) => this.#take(session, { ...this.#lists, resources }),
      onDidFail: (session, problem) => this.#noteFailure(session, 'resources', problem),
    });
  }

  #promptRefresher(): ListRefresher<Session, ServerPrompts> {
    return new ListRefresher<Session, ServerPrompts>({
      method: 'prompts/list',
      name: 'prompt list',
      log: this.#options.log,
      read: (session) => session.listPrompts(this.#listOptions()),
      onDidRead: (session, prompts) => this.#take(session, { ...this.#lists, prompts }),
      onDidFail: (session, problem) => this.#noteFailure(session, 'prompts', problem),
    });
  }

  #listOptions() {
    const { timeouts, limits } = this.#options.configuration();
    return { seconds: timeouts.connect, maxPages: limits.pages, signal: noSignal };
  }

  /** Takes over what was read. What is equal stays the same object: the tool made from it must not change. */
  #take(session: Session, read: ServerLists): void {
    const { log, cache, configuration, isCurrent } = this.#options;
    const lists = withoutEmpty(read);
    if (!isCurrent(session) || jsonEqual(lists, this.#lists)) return;
    const { resources, prompts } = lists;
    log.info(
      `resources: ${resources?.resources.length ?? 0}, templates: ${resources?.templates.length ?? 0}, prompts: ${prompts?.prompts.length ?? 0}`,
    );
    cache.writeLists(configuration(), lists);
    this.#keep(session, lists);
  }

  #keep(session: Session, lists: ServerLists): void {
    if (!this.#options.isCurrent(session)) return;
    const { resources, prompts } = this.#lists;
    this.#lists = {
      ...lists,
      ...(resources && jsonEqual(resources, lists.resources) && { resources }),
      ...(prompts && jsonEqual(prompts, lists.prompts) && { prompts }),
    };
    this.#options.onDidChange();
  }
}

/** Of resources whole families come and go, and their list stands in the description of a tool. */
const settleTimes = { tools: 300, resources: 1000, prompts: 1000 } as const satisfies Record<
  ListName,
  number
>;

const noResources: ServerResources = { resources: [], templates: [], problems: [] };
const noPrompts: ServerPrompts = { prompts: [], problems: [] };

function withoutEmpty({ resources, prompts }: ServerLists): ServerLists {
  const hasResources =
    resources &&
    resources.resources.length + resources.templates.length + resources.problems.length;
  const hasPrompts = prompts && prompts.prompts.length + prompts.problems.length;
  return { ...(hasResources && { resources }), ...(hasPrompts && { prompts }) };
}

/** Reads what `ToolCache.writeLists` was given, from storage. */
function readCachedLists(cached: unknown): ServerLists {
  const member = (value: unknown, name: string): unknown =>
    isJsonObject(value) ? value[name] : undefined;
  const list = (kind: string, name: string): unknown[] => {
    const value = member(member(cached, kind), name);
    return Array.isArray(value) ? value : [];
  };
  const problems: readonly Problem[] = [];
  const { resources } = readResources(list('resources', 'resources'));
  const { templates } = readResourceTemplates(list('resources', 'templates'));
  const { prompts } = readPrompts(list('prompts', 'prompts'));
  return withoutEmpty({
    resources: { resources, templates, problems },
    prompts: { prompts, problems },
  });
}
