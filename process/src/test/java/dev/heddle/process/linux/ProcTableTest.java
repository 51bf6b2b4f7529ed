package dev.heddle.process.linux;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ProcTableTest {

    private static final String REST = " 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 9876543 1000 200 0";

    @Test
    void parsesCommandNamesWithParentheses() {
        assertThat(ProcTable.parse(7, "7 (sh) S 1 7 7" + REST)).contains(new ProcTable.Entry(7, 1, 'S', 9_876_543));
        assertThat(ProcTable.parse(7, "7 (a) R 99 (b c)) Z 1 7 7" + REST))
                .contains(new ProcTable.Entry(7, 1, 'Z', 9_876_543));
        assertThat(ProcTable.parse(7, "7 (cut off)")).isEmpty();
        assertThat(ProcTable.parse(7, "")).isEmpty();
    }

    @Test
    void findsThisProcess() {
        long self = ProcessHandle.current().pid();

        assertThat(ProcTable.find(self)).hasValueSatisfying(entry -> {
            assertThat(entry.isAlive()).isTrue();
            assertThat(entry.startTicks()).isPositive();
        });
        assertThat(ProcTable.find(Integer.MAX_VALUE)).isEmpty();
        assertThat(ProcTable.environmentVariable(self, "PATH")).contains(System.getenv("PATH"));
        assertThat(ProcTable.environmentVariable(self, "PAT")).isEmpty();
    }
}
