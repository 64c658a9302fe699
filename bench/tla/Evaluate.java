// Evaluates definitions of a module with TLC, each by itself, and goes on behind one that fails.
//
//     java -cp TLC Evaluate.java FOLDER MODULE SECONDS < NAMES
//
// NAMES are names of definitions without parameters, one a line. For each it writes a line: the name, `=` or `!`, and
// the value or the first line of what is wrong, separated by tabs. What takes longer than SECONDS is `?`.

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import tlc2.tool.impl.FastTool;
import tlc2.value.impl.Value;
import util.SimpleFilenameToStream;
import util.ToolIO;

public class Evaluate {
    static FastTool tool;

    static String evaluate(String name) {
        try {
            var node = tool.getSpecProcessor().getRootModule().getOpDef(name);
            Value value = (Value) tool.eval(node.getBody());
            value.deepNormalize();
            return "=\t" + value.toString().replace("\n", " ");
        } catch (StackOverflowError e) {
            return "!\tStackOverflowError";
        } catch (Throwable e) {
            String text = String.valueOf(e.getMessage());
            return "!\t" + e.getClass().getSimpleName() + ": " + text.replace("\n", " ");
        }
    }

    public static void main(String[] args) throws Exception {
        PrintStream out = System.out;
        ToolIO.setMode(ToolIO.TOOL);
        tool = new FastTool(args[1], args[1], new SimpleFilenameToStream(args[0]));
        BufferedReader names = new BufferedReader(new InputStreamReader(System.in));
        ExecutorService threads = Executors.newCachedThreadPool(task -> {
            Thread thread = new Thread(null, task, "evaluation", 64L << 20);
            thread.setDaemon(true);
            return thread;
        });
        for (String name = names.readLine(); name != null; name = names.readLine()) {
            final String given = name;
            Future<String> future = threads.submit(() -> evaluate(given));
            String answer;
            try {
                answer = future.get(Long.parseLong(args[2]), TimeUnit.SECONDS);
            } catch (TimeoutException e) {
                answer = "?\t";
            }
            out.println(given + "\t" + answer);
            out.flush();
        }
        System.exit(0);
    }
}
