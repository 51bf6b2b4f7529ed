package dev.heddle.testkit.store;

import dev.heddle.job.JobId;
import dev.heddle.search.TextIndex;
import dev.heddle.store.AdminCommand;
import dev.heddle.testkit.JobDraft;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Full-text search for jobs by the conversations in them. */
abstract class TextIndexContract extends StoreFixture {

    TextIndexContract(StoreContract contract) {
        super(contract);
    }

    private TextIndex index() {
        return capability(TextIndex.class);
    }

    private JobId indexed(int attempt, String text) {
        JobId id = insert(JobDraft.of("agent"));
        index().index(id, attempt, text);
        return id;
    }

    @Test
    void findsJobsThatContainAllWordsNewestFirst() {
        JobId one = indexed(1, "ParserTest fails on an empty line; it's FIXED in src/Parser.java (Grüße, 日本)");
        JobId two = indexed(1, "the empty parser line");
        restart(at(10));
        assertThat(index().search("line EMPTY", 10)).containsExactly(two, one);
        assertThat(index().search("line EMPTY", 1)).containsExactly(two);
        assertThat(index().search("parser.java", 10)).containsExactly(one);
        assertThat(index().search("grüße 日本", 10)).containsExactly(one);
        assertThat(index().search("it's", 10)).containsExactly(one);
        assertThat(index().search("pars", 10)).isEmpty();
        assertThat(index().search("empty AND nothing", 10)).isEmpty();
    }

    @Test
    void treatsQuerySyntaxAsPlainWords() {
        indexed(1, "a \"quoted\" or NOT a near b");
        assertThat(index().search("\"quoted", 10)).hasSize(1);
        assertThat(index().search("not near", 10)).hasSize(1);
        assertThat(index().search("quoted* -a '; DROP", 10)).isEmpty();
        assertThat(index().search(" \"*:- ", 10)).isEmpty();
    }

    @Test
    void indexesOnlyTheLatestTextOfAnAttempt() {
        JobId id = indexed(1, "first words");
        index().index(id, 1, "second words");
        index().index(id, 2, "third words");
        assertThat(index().search("first", 10)).isEmpty();
        assertThat(index().search("words", 10)).containsExactly(id);
        assertThat(index().search("second third", 10)).isEmpty();
    }

    @Test
    void deletesTextWithItsJobAndTruncatesLongText() {
        JobId id = indexed(1, "secret " + "filler ".repeat(TextIndex.MAX_CHARACTERS / 7) + "tail");
        assertThat(index().search("secret filler", 10)).containsExactly(id);
        assertThat(index().search("tail", 10)).isEmpty();
        store.execute(new AdminCommand.Cancel(id, "over", ACTOR, at(1)));
        store.execute(new AdminCommand.Delete(id, ACTOR, at(2)));
        assertThat(index().search("secret", 10)).isEmpty();
        index().index(id, 1, "secret");
        assertThat(index().search("secret", 10)).isEmpty();
    }
}
