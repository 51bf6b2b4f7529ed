package dev.heddle.examples.imports;

import java.nio.file.Path;
import java.util.List;

import dev.heddle.examples.ExampleRunner;
import dev.heddle.examples.imports.Sales.Report;
import dev.heddle.examples.imports.Sales.Total;
import dev.heddle.pool.Pool;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static dev.heddle.examples.ExampleRunner.LONG;
import static dev.heddle.examples.imports.SalesImport.IMPORT;
import static dev.heddle.examples.imports.SalesImport.PARSE;
import static org.assertj.core.api.Assertions.assertThat;

class SalesImportTest {

    @TempDir
    private Path directory;

    private Pool open() {
        return ExampleRunner.pool(directory).register(IMPORT, new SalesImport())
                .register(PARSE, SalesImport::parse)
                .open();
    }

    @Test
    void addsUpTheTotalsOfTheParts() throws Exception {
        try (Pool pool = open()) {
            assertThat(pool.submit(IMPORT, new Sales("a.csv", List.of("tea;450", "bun;120"))).await(LONG))
                    .isEqualTo(new Report(new Total(2, 570), List.of()));
            assertThat(pool.submit(IMPORT, new Sales("empty.csv", List.of())).await(LONG))
                    .isEqualTo(new Report(new Total(0, 0), List.of()));
        }
    }

    /** Prints the output that docs/guides/families.md shows. */
    @Test
    void runsTheDemo() throws Exception {
        assertThat(ExampleRunner.printed(SalesImportDemo::main, directory.resolve("market.db").toString()))
                .containsSubsequence(
                        "900 sales of 94050 cents",
                        "rejected: march.csv:701 +7: not a sale: 'coffee;free'",
                        "attempt 1: INGESTED",
                        "attempt 2: COMPLETED",
                        "WAITING: Ingested: waits for 10 children",
                        "QUEUED: All children have ended",
                        "children: {COMPLETED=9, FAILED=1}");
    }
}
