/** A tool as a server lists it (MCP specification, `Tool`). */
export interface ListedTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: { readonly type: 'object'; readonly properties: object };
}

type Naming = (verb: string, noun: string) => string;

const snake: Naming = (verb, noun) => `${verb}_${noun}`;
const camel: Naming = (verb, noun) =>
  verb + `_${noun}`.replace(/_(\w)/g, (_match, letter: string) => letter.toUpperCase());
const dotted: Naming = (verb, noun) => `${noun}.${verb}`;

/** A kind of thing a service holds: its name, what people call it, and what its verbs are. */
type Noun = readonly [noun: string, phrase: string, owner: string];

/** What each verb says of a thing of the given phrase and place, and the arguments it takes. */
const verbs: Readonly<
  Record<string, readonly [text: (thing: string, owner: string) => string, args: string[]]>
> = {
  list: [(thing, owner) => `Lists all ${thing}s of ${owner}, newest first.`, ['page', 'per_page']],
  get: [(thing) => `Gets the details of one ${thing}.`, ['id']],
  create: [(thing, owner) => `Creates a new ${thing} in ${owner}.`, ['title', 'body']],
  update: [(thing) => `Changes the fields of an existing ${thing}.`, ['id', 'fields']],
  delete: [(thing, owner) => `Permanently removes a ${thing} from ${owner}.`, ['id']],
  search: [(thing, owner) => `Searches ${owner} for ${thing}s that match a query.`, ['query']],
  archive: [(thing) => `Archives a ${thing}, so that it is hidden but kept.`, ['id']],
  export: [(thing) => `Exports ${thing}s as CSV or JSON.`, ['format']],
};

interface Service {
  readonly naming: Naming;
  readonly nouns: readonly Noun[];
  /** Tools that fit no pattern: name, description, arguments. */
  readonly own?: readonly (readonly [name: string, description: string, ...args: string[]])[];
}

const services: Readonly<Record<string, Service>> = {
  github: {
    naming: snake,
    nouns: [
      ['issue', 'issue', 'a repository'],
      ['pull_request', 'pull request', 'a repository'],
      ['release', 'release', 'a repository'],
      ['gist', 'gist', 'your account'],
      ['workflow_run', 'workflow run', 'GitHub Actions'],
      ['label', 'label', 'a repository'],
      ['milestone', 'milestone', 'a repository'],
    ],
    own: [
      ['merge_pull_request', 'Merges a pull request.', 'pull_number', 'merge_method'],
      ['add_issue_comment', 'Adds a comment to an issue or pull request.', 'issue_number', 'body'],
      ['fork_repository', 'Forks a repository into your account or organization.', 'repo'],
      ['get_file_contents', 'Reads a file or folder of a repository.', 'repo', 'path', 'ref'],
      ['push_files', 'Pushes several files in a single commit.', 'branch', 'files', 'message'],
      ['create_branch', 'Creates a branch from a commit.', 'branch', 'from_branch'],
    ],
  },
  jira: {
    naming: snake,
    nouns: [
      ['sprint', 'sprint', 'a board'],
      ['epic', 'epic', 'a project'],
      ['worklog', 'work log entry', 'a ticket'],
      ['board', 'board', 'a project'],
    ],
    own: [
      ['jira_search', 'Searches tickets with JQL.', 'jql', 'max_results'],
      ['jira_transition_issue', 'Moves a ticket to another status.', 'issue_key', 'transition'],
      ['jira_assign_issue', 'Sets who a ticket is assigned to.', 'issue_key', 'assignee'],
    ],
  },
  slack: {
    naming: snake,
    nouns: [
      ['channel', 'channel', 'the workspace'],
      ['reminder', 'reminder', 'your account'],
      ['user_group', 'user group', 'the workspace'],
    ],
    own: [
      ['slack_post_message', 'Posts a message to a channel.', 'channel_id', 'text'],
      ['slack_reply_to_thread', 'Replies in the thread of a message.', 'thread_ts', 'text'],
      ['slack_add_reaction', 'Adds an emoji reaction to a message.', 'timestamp', 'reaction'],
      ['slack_get_channel_history', 'Reads the recent messages of a channel.', 'channel_id'],
    ],
  },
  mail: {
    naming: camel,
    nouns: [
      ['draft', 'draft', 'the mailbox'],
      ['filter', 'mail filter', 'the mailbox'],
      ['attachment', 'attachment', 'an e-mail'],
    ],
    own: [
      ['sendEmail', 'Sends an e-mail.', 'to', 'subject', 'body'],
      ['searchEmails', 'Finds e-mails by sender, subject or date.', 'query'],
      ['markAsRead', 'Marks e-mails as read.', 'message_ids'],
    ],
  },
  calendar: {
    naming: dotted,
    nouns: [
      ['event', 'calendar event', 'a calendar'],
      ['calendar', 'calendar', 'your account'],
    ],
    own: [
      ['freebusy', 'Finds out when people are free for a meeting.', 'attendees', 'from', 'until'],
      ['event.respond', 'Accepts or declines an invitation.', 'event_id', 'answer'],
    ],
  },
  postgres: {
    naming: snake,
    nouns: [
      ['table', 'table', 'a database'],
      ['index', 'index', 'a table'],
      ['role', 'role', 'the database server'],
      ['backup', 'backup', 'a database'],
    ],
    own: [
      ['query', 'Runs a read-only SQL statement.', 'sql'],
      ['explain_query', 'Shows the execution plan of a SQL statement.', 'sql', 'analyze'],
      ['describe_table', 'Shows the columns and types of a table.', 'table_name'],
    ],
  },
  filesystem: {
    naming: snake,
    nouns: [],
    own: [
      ['read_text_file', 'Reads a text file completely.', 'path', 'head', 'tail'],
      ['write_file', 'Creates a file or overwrites one.', 'path', 'content'],
      ['edit_file', 'Replaces lines in a text file.', 'path', 'edits', 'dryRun'],
      ['list_directory', 'Lists what a folder holds.', 'path'],
      ['directory_tree', 'Shows a folder and all below it as a tree.', 'path'],
      ['move_file', 'Moves or renames a file or folder.', 'source', 'destination'],
      ['search_files', 'Finds files by a name pattern, recursively.', 'path', 'pattern'],
      ['get_file_info', 'Gives size, dates and permissions of a file.', 'path'],
    ],
  },
  browser: {
    naming: snake,
    nouns: [],
    own: [
      ['browser_navigate', 'Opens an address in the browser.', 'url'],
      ['browser_click', 'Clicks an element of the page.', 'element', 'ref'],
      ['browser_type', 'Types text into a field.', 'ref', 'text', 'submit'],
      ['browser_take_screenshot', 'Takes a picture of the page.', 'filename', 'fullPage'],
      ['browser_console_messages', 'Gives the messages of the console.', 'onlyErrors'],
      ['browser_network_requests', 'Lists the network requests of the page.', 'filter'],
      ['browser_tab_close', 'Closes a tab.', 'index'],
    ],
  },
  docker: {
    naming: snake,
    nouns: [
      ['container', 'container', 'this machine'],
      ['image', 'image', 'the local registry'],
      ['volume', 'volume', 'this machine'],
      ['network', 'network', 'this machine'],
    ],
    own: [
      ['container_logs', 'Shows the output of a container.', 'container', 'tail'],
      ['restart_container', 'Stops a container and starts it again.', 'container'],
    ],
  },
  kubernetes: {
    naming: snake,
    nouns: [
      ['pod', 'pod', 'a namespace'],
      ['deployment', 'deployment', 'a namespace'],
      ['secret', 'secret', 'a namespace'],
      ['cron_job', 'cron job', 'a namespace'],
    ],
    own: [
      ['scale_deployment', 'Sets the number of replicas.', 'name', 'replicas'],
      ['rollback_deployment', 'Goes back to an earlier revision.', 'name', 'revision'],
    ],
  },
  stripe: {
    naming: snake,
    nouns: [
      ['customer', 'customer', 'the account'],
      ['invoice', 'invoice', 'the account'],
      ['subscription', 'subscription', 'a customer'],
      ['coupon', 'coupon', 'the account'],
      ['product', 'product', 'the catalog'],
    ],
    own: [
      ['create_refund', 'Pays money back to a customer.', 'payment_intent', 'amount'],
      ['retrieve_balance', 'Gives the current balance of the account.', 'currency'],
    ],
  },
  notion: {
    naming: camel,
    nouns: [
      ['page', 'page', 'the workspace'],
      ['database', 'database', 'the workspace'],
      ['block', 'block', 'a page'],
    ],
  },
  sentry: {
    naming: snake,
    nouns: [
      ['alert_rule', 'alert rule', 'a project'],
      ['team', 'team', 'the organization'],
    ],
    own: [
      ['get_stack_trace', 'Gives the stack trace of an error.', 'event_id'],
      ['resolve_error', 'Marks an error as resolved.', 'issue_id'],
    ],
  },
  storage: {
    naming: camel,
    nouns: [
      ['bucket', 'bucket', 'the account'],
      ['object', 'object', 'a bucket'],
    ],
    own: [
      ['presignUrl', 'Makes a link for downloading an object.', 'key', 'expires_in'],
      ['copyObject', 'Copies an object to another bucket.', 'source', 'target'],
    ],
  },
  weather: {
    naming: snake,
    nouns: [],
    own: [
      ['get_forecast', 'Gives the weather forecast for a place.', 'latitude', 'longitude', 'days'],
      ['get_alerts', 'Gives the weather warnings of a region.', 'region'],
    ],
  },
  maps: {
    naming: snake,
    nouns: [],
    own: [
      ['maps_directions', 'Gives the route between two places.', 'origin', 'destination', 'mode'],
      ['maps_geocode', 'Turns an address into coordinates.', 'address'],
      ['maps_distance_matrix', 'Gives distances and travel times.', 'origins', 'destinations'],
    ],
  },
  analytics: {
    naming: dotted,
    nouns: [
      ['dashboard', 'dashboard', 'a project'],
      ['report', 'report', 'a project'],
      ['segment', 'user segment', 'a project'],
      ['experiment', 'experiment', 'a project'],
    ],
  },
  people: {
    naming: snake,
    nouns: [
      ['employee', 'employee', 'the company'],
      ['leave_request', 'leave request', 'a team'],
      ['payslip', 'payslip', 'an employee'],
      ['job_opening', 'job opening', 'a department'],
    ],
    own: [['approve_leave_request', 'Approves or rejects time off.', 'request_id', 'decision']],
  },
  crm: {
    naming: snake,
    nouns: [
      ['contact', 'contact', 'the address book'],
      ['deal', 'deal', 'a pipeline'],
      ['company', 'company', 'the address book'],
      ['call_note', 'call note', 'a contact'],
    ],
  },
};

/** What the arguments are, for those whose name does not say it. */
const argumentTexts: Readonly<Record<string, string>> = {
  jql: 'Jira Query Language, for example project = ABC',
  reaction: 'Name of the emoji, without colons',
  replicas: 'How many copies run at once',
  expires_in: 'Seconds the link is valid',
  dryRun: 'Preview the changes without writing them',
  mode: 'Driving, walking, bicycling or transit',
  merge_method: 'merge, squash or rebase',
};

function listed(name: string, description: string, args: readonly string[]): ListedTool {
  const properties = Object.fromEntries(
    args.map((arg) => [
      arg,
      { type: 'string', ...(arg in argumentTexts && { description: argumentTexts[arg] }) },
    ]),
  );
  return { name, description, inputSchema: { type: 'object', properties } };
}

/** The tools of many services as their servers might list them, by server; each name once per server. */
export function realisticServers(): Map<string, ListedTool[]> {
  return new Map(
    Object.entries(services).map(([server, { naming, nouns, own = [] }]) => [
      server,
      [
        ...own.map(([name, description, ...args]) => listed(name, description, args)),
        ...nouns.flatMap(([noun, phrase, owner]) =>
          Object.entries(verbs).map(([verb, [text, args]]) =>
            listed(naming(verb, noun), text(phrase, owner), args),
          ),
        ),
      ],
    ]),
  );
}

/** So many tools with different names, as a server with a whole business behind it lists them. */
export function realisticTools(count: number): ListedTool[] {
  const all = [...realisticServers()].flatMap(([server, tools]) =>
    tools.map((tool) => ({ ...tool, name: `${server}_${tool.name}` })),
  );
  if (count > all.length) throw new Error(`There are only ${all.length} tools.`);
  return all.slice(0, count);
}
