import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findTools } from '../../../src/core/tools/findTools.ts';
import { buildCatalog } from '../../../src/core/tools/toolCatalog.ts';
import { readTools } from '../../../src/core/tools/toolDefinition.ts';
import { serverOf } from '../../support/builders.ts';
import { realisticServers } from '../../support/realisticTools.ts';

const catalog = buildCatalog(
  [...realisticServers()].map(([server, tools]) => serverOf(server, readTools(tools).tools)),
);

/** What a model might write, and the tool it needs. */
const queries: readonly (readonly [query: string, wanted: string])[] = [
  ['create a github issue', 'github__create_issue'],
  ['open a new pull request', 'github__create_pull_request'],
  ['merge pull request', 'github__merge_pull_request'],
  ['comment on an issue', 'github__add_issue_comment'],
  ['fork a repo', 'github__fork_repository'],
  ['read a file from a github repository', 'github__get_file_contents'],
  ['list releases', 'github__list_release'],
  ['failed workflow runs', 'github__list_workflow_run'],
  ['commit several files at once', 'github__push_files'],
  ['new branch', 'github__create_branch'],
  ['search jira tickets with jql', 'jira__jira_search'],
  ['change status of a ticket', 'jira__jira_transition_issue'],
  ['assign ticket to somebody', 'jira__jira_assign_issue'],
  ['delete sprint', 'jira__delete_sprint'],
  ['log work on a ticket', 'jira__create_worklog'],
  ['send a slack message', 'slack__slack_post_message'],
  ['reply in thread', 'slack__slack_reply_to_thread'],
  ['add an emoji to a message', 'slack__slack_add_reaction'],
  ['recent messages of a channel', 'slack__slack_get_channel_history'],
  ['archive channel', 'slack__archive_channel'],
  ['remind me', 'slack__create_reminder'],
  ['send an email', 'mail__sendEmail'],
  ['find mails by sender', 'mail__searchEmails'],
  ['mark email read', 'mail__markAsRead'],
  ['remove a mail filter', 'mail__deleteFilter'],
  ['schedule a meeting', 'calendar__event_create'],
  ['when are people free', 'calendar__freebusy'],
  ['accept invitation', 'calendar__event_respond'],
  ['run sql query', 'postgres__query'],
  ['columns of a table', 'postgres__describe_table'],
  ['execution plan of sql', 'postgres__explain_query'],
  ['drop index', 'postgres__delete_index'],
  ['read text file', 'filesystem__read_text_file'],
  ['file text read', 'filesystem__read_text_file'],
  ['rename a file', 'filesystem__move_file'],
  ['show folder contents', 'filesystem__list_directory'],
  ['directory tree', 'filesystem__directory_tree'],
  ['preview changes without writing', 'filesystem__edit_file'],
  ['when was a file changed, size and permissions', 'filesystem__get_file_info'],
  ['open a web page', 'browser__browser_navigate'],
  ['take screenshot', 'browser__browser_take_screenshot'],
  ['click a button on the page', 'browser__browser_click'],
  ['console errors', 'browser__browser_console_messages'],
  ['container logs', 'docker__container_logs'],
  ['restart docker container', 'docker__restart_container'],
  ['list docker images', 'docker__list_image'],
  ['delete a volume', 'docker__delete_volume'],
  ['scale a deployment', 'kubernetes__scale_deployment'],
  ['number of replicas', 'kubernetes__scale_deployment'],
  ['roll back deployment', 'kubernetes__rollback_deployment'],
  ['list pods', 'kubernetes__list_pod'],
  ['kubernetes secrets', 'kubernetes__list_secret'],
  ['refund a payment', 'stripe__create_refund'],
  ['new customer', 'stripe__create_customer'],
  ['account balance', 'stripe__retrieve_balance'],
  ['cancel subscription', 'stripe__delete_subscription'],
  ['search notion pages', 'notion__searchPage'],
  ['stack trace of an error', 'sentry__get_stack_trace'],
  ['mark error as resolved', 'sentry__resolve_error'],
  ['create alert rule', 'sentry__create_alert_rule'],
  ['download link for an object', 'storage__presignUrl'],
  ['copy object to another bucket', 'storage__copyObject'],
  ['create bucket', 'storage__createBucket'],
  ['weather forecast', 'weather__get_forecast'],
  ['storm warnings', 'weather__get_alerts'],
  ['directions from a to b', 'maps__maps_directions'],
  ['coordinates of an address', 'maps__maps_geocode'],
  ['travel times', 'maps__maps_distance_matrix'],
  ['approve time off', 'people__approve_leave_request'],
  ['list payslips', 'people__list_payslip'],
  ['export report as csv', 'analytics__report_export'],
  ['add contact to address book', 'crm__create_contact'],
  ['update deal', 'crm__update_deal'],
  ['creat isue', 'github__create_issue'],
  ['databse table columns', 'postgres__describe_table'],
  ['takeScreenshot', 'browser__browser_take_screenshot'],
  ['slack_post_message', 'slack__slack_post_message'],
  ['kubernetes__list_pod', 'kubernetes__list_pod'],
];

test('the tool that is needed is among the first three of five hundred', () => {
  assert.ok(catalog.tools.size >= 480, String(catalog.tools.size));
  const missing = queries.filter(([, wanted]) => !catalog.tools.has(wanted));
  assert.deepEqual(missing, [], 'the table names tools there are');
  const ranks = queries.map(([query, wanted]) => {
    const names = findTools(catalog, query, 20).tools.map(({ exposedName }) => exposedName);
    return { query, wanted, rank: names.indexOf(wanted), first: names.slice(0, 3) };
  });
  const missed = ranks.filter(({ rank }) => rank < 0 || rank > 2);
  const firsts = ranks.filter(({ rank }) => rank === 0).length;
  assert.ok(missed.length <= 2, JSON.stringify(missed, null, 1));
  assert.ok(firsts / queries.length >= 0.8, `${firsts} of ${queries.length} come first`);
});
