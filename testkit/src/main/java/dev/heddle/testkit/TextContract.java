package dev.heddle.testkit;

import dev.heddle.job.JobId;
import dev.heddle.search.TextIndex;
import dev.heddle.store.Command;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Finding jobs by what was said in them. */
abstract class TextContract extends StoreFixture {

    TextContract(StoreContract door) {
        super(door);
    }

    private TextIndex index() {
        return (TextIndex) store;
    }

    private JobId said(int attempt, String text) {
        JobId id = insert(Draft.of("agent"));
        index().index(id, attempt, text);
        return id;
    }

    @Test
    void findsJobsThatHaveAllTheWordsNewestFirst() {
        JobId one = said(1, "ParserTest fails on an empty line; it's FIXED in src/Parser.java (Grüße, 日本)");
        JobId two = said(1, "the empty parser line");
        restart(at(10));
        assertThat(index().find("line EMPTY", 10)).containsExactly(two, one);
        assertThat(index().find("line EMPTY", 1)).containsExactly(two);
        assertThat(index().find("parser.java", 10)).containsExactly(one);
        assertThat(index().find("grüße 日本", 10)).containsExactly(one);
        assertThat(index().find("it's", 10)).containsExactly(one);
        assertThat(index().find("pars", 10)).isEmpty();
        assertThat(index().find("empty AND nothing", 10)).isEmpty();
    }

    @Test
    void whateverIsAskedIsTakenForWords() {
        said(1, "a \"quoted\" or NOT a near b");
        assertThat(index().find("\"quoted", 10)).hasSize(1);
        assertThat(index().find("not near", 10)).hasSize(1);
        assertThat(index().find("quoted* -a '; DROP", 10)).isEmpty();
        assertThat(index().find(" \"*:- ", 10)).isEmpty();
    }

    @Test
    void theWordsOfAnAttemptAreThoseThatWereKeptLast() {
        JobId id = said(1, "first words");
        index().index(id, 1, "second words");
        index().index(id, 2, "third words");
        assertThat(index().find("first", 10)).isEmpty();
        assertThat(index().find("words", 10)).containsExactly(id);
        assertThat(index().find("second third", 10)).isEmpty();
    }

    @Test
    void wordsGoWithTheirJobAndALongTextIsCut() {
        JobId id = said(1, "secret " + "filler ".repeat(TextIndex.MOST / 7) + "tail");
        assertThat(index().find("secret filler", 10)).containsExactly(id);
        assertThat(index().find("tail", 10)).isEmpty();
        store.execute(new Command.Cancel(id, "over", ACTOR, at(1)));
        store.execute(new Command.Delete(id, ACTOR, at(2)));
        assertThat(index().find("secret", 10)).isEmpty();
        index().index(id, 1, "secret");
        assertThat(index().find("secret", 10)).isEmpty();
    }
}
