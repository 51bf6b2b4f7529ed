package dev.heddle.examples.imports;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import dev.heddle.examples.imports.Sales.Report;
import dev.heddle.pool.JobHandle;
import dev.heddle.pool.Pool;
import dev.heddle.sqlite.SqliteStore;

/** Runs the example: imports a thousand sales in ten parts, one of which contains an invalid line. */
final class SalesImportDemo {

    private SalesImportDemo() {}

    public static void main(String[] args) throws Exception {
        try (Pool pool = Pool.on(SqliteStore.at(Path.of(args.length == 0 ? "market.db" : args[0])))
                .workers(2)
                .register(SalesImport.IMPORT, new SalesImport())
                .register(SalesImport.PARSE, SalesImport::parse)
                .open()) {
            JobHandle<Report> handle = pool.submit(SalesImport.IMPORT, new Sales("march.csv", sales()));
            Report report = Objects.requireNonNull(handle.await(Duration.ofSeconds(30)));
            System.out.println(report.total().lines() + " sales of " + report.total().cents() + " cents");
            report.rejected().forEach(reason -> System.out.println("rejected: " + reason));
            var story = pool.admin().details(handle.id()).orElseThrow();
            story.attempts().forEach(
                    attempt -> System.out.println("attempt " + attempt.number() + ": " + attempt.end()));
            story.history().forEach(
                    entry -> System.out.println(entry.to() + ": " + entry.reason()));
            System.out.println("children: " + story.children());
        }
    }

    private static List<String> sales() {
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            lines.add(i == 707 ? "coffee;free" : "tea;" + (100 + i % 10));
        }
        return lines;
    }
}
