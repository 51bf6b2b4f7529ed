/**
 * What the two SQL stores have in common. Start at {@link dev.heddle.sql.SqlStore}, which runs each operation of the
 * store in a transaction ({@link dev.heddle.sql.Tx}) and leaves the SQL to a class for each table or task. The SQL is
 * the same for both databases; it names tables like {@code heddle.live}, and a {@link dev.heddle.sql.Dialect} has the
 * differences. What has to be fast, or safe among many writers, is in {@code dev.heddle.sqlite} and
 * {@code dev.heddle.postgres}: inserting, claiming, and writing the changes of attempts.
 *
 * <h2>Tables</h2>
 * <ul>
 * <li>{@code job} has what was submitted. A row is written once and never changes.
 * <li>{@code live} has the status of every job that has not ended. It stays small, so claiming costs the same with a
 * million ended jobs as with none. Every write of an attempt has its fence (job, attempt, node) in the WHERE clause.
 * <li>{@code ended} gets the row when the job ends. The row of a completed job also records the attempt that
 * completed it.
 * <li>{@code attempt} has all other attempts that are over, {@code history} the state changes that attempts do not
 * explain, {@code checkpoint} and {@code step} what an attempt leaves for the next one.
 * <li>{@code lane} numbers the combinations of queue, type and suspect. Jobs of one lane are alike for claiming and
 * have their own range of an index, so jobs that nobody can claim cost the others nothing. Jobs that wait for one
 * worker are in a lane named after it.
 * <li>{@code limit_group} has the groups in which jobs with limits wait for their turns. A job whose keys have room
 * needs none: it is claimed from a lane for entering jobs. While a node holds a job, its row in {@code live} is its
 * slot of its first key; {@code limit_slot} has those of further keys. {@code limit_rate} has what was used of rates,
 * and {@code limit_event} what the next claim has to look at. Start at {@link dev.heddle.sql.LimitClaims}.
 * <li>{@code job_count} and {@code job_count_delta} have the number of jobs by queue, type and state. Whatever changes
 * the state, queue or type of a job has to count it: {@link dev.heddle.sql.CountRows}.
 * <li>{@code stats_slice} has what nodes measured in slices of time, {@code error_group} and {@code error_hour} the
 * failures with the same fingerprint.
 * <li>{@code node} has the nodes and their leases, {@code reservation} the attempts that outlive their node, and
 * {@code session_binding} the workers of sessions. {@code run}, {@code spend}, {@code budget} and {@code spoken}
 * belong to the features of those names.
 * </ul>
 *
 * <h2>Families</h2>
 * A transaction that ends jobs notes in {@link dev.heddle.sql.FamilyChanges} what that does to families. It cancels
 * children itself. Parents are woken after its commit, and again at every renewal of a node, in case a crash came
 * between.
 *
 * <h2>Adding an option to jobs</h2>
 * {@link dev.heddle.sql.JobColumns} is the only list of the columns of {@code job}; inserts, parameters and selects
 * of both stores are made from it. A new option, like {@code subject}, takes four steps:
 * <ol>
 * <li>Add it to {@code JobSpec.Extras}, and to {@code Extras.NONE}.
 * <li>Declare its column in {@code JobColumns}, after the last one:
 * <pre>{@code
 * private static final Text SUBJECT = declare(i -> new Text(i, "subject", spec -> spec.extras().subject()));
 * }</pre>
 * The kind decides the types: {@code Text}, {@code OptionalNumber}, {@code Uuid}, {@code JsonText} or {@code Flag}. The
 * value must be null if the option is not set.
 * <li>Read it in {@code JobColumns.readOptions}: {@code SUBJECT.read(row)}. The compiler asks for it, because the
 * constructor of {@code Extras} has one more parameter.
 * <li>Add the nullable column in a migration of each store: a new file such as {@code 003_subject.sql} beside
 * {@code 001_initial.sql}, and its name in {@link dev.heddle.sql.MigrationScripts}.
 * </ol>
 */
@NullMarked
package dev.heddle.sql;

import org.jspecify.annotations.NullMarked;
